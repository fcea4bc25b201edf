/**
 * Receives the kind of body that an endpoint declares: no body, small JSON, a form, raw bytes, or a
 * body with files. A body with files is JSON or `multipart/form-data`.
 */
import type { IncomingMessage } from "node:http";
import type { Endpoint, UploadsSpec } from "@sheaf/contract/endpoint.ts";
import { normalize } from "@sheaf/contract/normalize.ts";
import { type Check, compile } from "@sheaf/contract/validate.ts";
import type { TemporaryFile, TemporaryFiles } from "../files/temporary-files.ts";
import { AppError } from "../lib/errors.ts";
import type { BodyBounds, UploadedFile } from "../lib/route.ts";
import { readUntilAborted } from "./upload/body-chunks.ts";
import { type MemberKinds, memberKinds } from "./upload/form-members.ts";
import { invalidRequest } from "./upload/invalid-request.ts";
import { boundaryOf, multipartType } from "./upload/multipart-scanner.ts";
import { checkMultipartLength, type MultipartLimits, receiveMultipart } from "./upload/receive-multipart.ts";
import {
  checkContentLength,
  receiveJson,
  receiveUpload,
  type UploadSink,
  uploadLimits,
} from "./upload/receive-upload.ts";
import { asOneFile, receiveUploads, uploadsLimits } from "./upload/receive-uploads.ts";

export interface ReceivedBody {
  fields: unknown;
  file: UploadedFile | undefined;
  /** The files in the order of the body, if the endpoint takes several; otherwise empty. */
  files: readonly UploadedFile[];
  /** Deletes the stored files of the body. */
  dispose(): Promise<void>;
}

export type BodyReceiver = (
  request: IncomingMessage,
  signal: AbortSignal,
  bounds?: BodyBounds | undefined,
) => Promise<ReceivedBody>;

const jsonType = "application/json";
const formType = "application/x-www-form-urlencoded";
const maxFormBytes = 16 * 1024;

/**
 * Returns the function that receives bodies for an endpoint. The returned function throws AppError
 * `invalid_request` or `file_too_large`, or the reason of the signal.
 */
export function bodyReceiver(endpoint: Endpoint, temporaryFiles: TemporaryFiles): BodyReceiver {
  const { body } = endpoint;
  if (body === undefined) return async () => withoutFile(undefined);
  const check = endpoint.rawBody ? () => [] : compile(body);
  const type = endpoint.bodyType ?? jsonType;
  const kinds = memberKinds(body);
  const types = endpoint.upload || endpoint.uploads ? [type, multipartType] : [type];
  const read = endpoint.upload
    ? uploadReader(endpoint.upload.maxFileBytes, kinds, temporaryFiles)
    : endpoint.uploads
      ? uploadsReader(endpoint.uploads, kinds, temporaryFiles)
      : endpoint.rawBody
        ? rawReader(endpoint.rawBody.maxBytes)
        : type === formType
          ? readForm
          : readJson;
  return async (request, signal, bounds) => {
    checkHeaders(request, types);
    const received = await read(request, signal, bounds);
    try {
      if (!endpoint.rawBody) normalize(body, received.fields);
      checkFields(check, received);
    } catch (error) {
      await received.dispose();
      throw error;
    }
    return received;
  };
}

/** @throws AppError `invalid_request` for another media type or a compressed body */
export function checkHeaders(request: IncomingMessage, types: readonly string[]): void {
  const { "content-encoding": encoding = "identity", "transfer-encoding": transfer = "chunked" } = request.headers;
  if (encoding.toLowerCase() !== "identity" || transfer.toLowerCase() !== "chunked")
    throw invalidRequest("", "a compressed body is not accepted");
  if (!types.includes(mediaTypeOf(request))) throw invalidRequest("", `Content-Type must be ${types.join(" or ")}`);
}

const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/**
 * Checks the members of a body. The schema describes the member `file` as a string, so an empty
 * string is checked in place of the file.
 */
function checkFields(check: Check, { fields, file }: ReceivedBody): void {
  const issues = check(file === undefined ? fields : { ...(fields as object), file: "" });
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
}

const withoutFile = (fields: unknown): ReceivedBody => ({
  fields,
  file: undefined,
  files: [],
  dispose: async () => {},
});

const lengthOf = (request: IncomingMessage): number => Number(request.headers["content-length"] ?? 0);

function uploadReader(maxFileBytes: number, kinds: MemberKinds, temporaryFiles: TemporaryFiles): BodyReceiver {
  return async (request, signal, bounds) => {
    const maxBytes = Math.min(maxFileBytes, bounds?.maxFileBytes ?? maxFileBytes);
    const receive = mediaTypeOf(request) === multipartType ? oneFromForm(kinds, maxBytes) : oneFromJson(maxBytes);
    const receiveOne = receive(request, signal);
    if (bounds?.refuse) await refuse(receiveOne, bounds.refuse);
    const stored = await temporaryFiles.create();
    const dispose = () => stored[Symbol.asyncDispose]();
    try {
      const { fields, size } = await receiveOne(stored);
      await stored.close();
      return { fields, file: size === undefined ? undefined : { path: stored.path, size }, files: [], dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  };
}

/**
 * Receives a body that contains one file. When it reaches the file, calls `onFile` with the members
 * of the body that came before it.
 */
type ReceiveOne = (
  sink: UploadSink,
  onFile?: (fields: Record<string, unknown>) => Promise<void>,
) => Promise<{ fields: Record<string, unknown>; size: number | undefined }>;

/**
 * Checks the headers before any of the body is read. Returns the function that receives the body.
 */
type OneFrom = (request: IncomingMessage, signal: AbortSignal) => ReceiveOne;

const oneFromJson =
  (maxFileBytes: number): OneFrom =>
  (request, signal) => {
    const uploads = uploadLimits(maxFileBytes);
    checkContentLength(lengthOf(request), uploads);
    return async (sink, onFile) => {
      const { fields, file } = await receiveUpload(request, sink, uploads, { signal, ...(onFile && { onFile }) });
      return { fields, size: file?.size };
    };
  };

const oneFromForm =
  (kinds: MemberKinds, maxFileBytes: number): OneFrom =>
  (request, signal) => {
    const limits: MultipartLimits = { maxFileBytes };
    const boundary = boundaryOf(request.headers["content-type"] ?? "");
    checkMultipartLength(lengthOf(request), limits);
    return async (sink, onFile) => {
      const options = { boundary, kinds, limits, signal, ...(onFile && { onFile }) };
      const { fields, sizes } = await receiveMultipart(request, () => sink, options);
      return { fields, size: sizes[0] };
    };
  };

/** Stores each file in a separate temporary file. */
function uploadsReader(spec: UploadsSpec, kinds: MemberKinds, temporaryFiles: TemporaryFiles): BodyReceiver {
  return async (request, signal) => {
    const receive = mediaTypeOf(request) === multipartType ? severalFromForm(spec, kinds) : severalFromJson(spec);
    const receiveAll = receive(request, signal);
    const stored: TemporaryFile[] = [];
    const dispose = async () => {
      await Promise.all(stored.map((file) => file[Symbol.asyncDispose]()));
    };
    const openSink = async (): Promise<TemporaryFile> => {
      await stored.at(-1)?.close();
      const file = await temporaryFiles.create();
      stored.push(file);
      return file;
    };
    try {
      const { fields, sizes } = await receiveAll(openSink);
      await stored.at(-1)?.close();
      const files = stored.map(({ path }, index) => ({ path, size: sizes[index] ?? 0 }));
      return { fields, file: undefined, files, dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  };
}

type SeveralFrom = (
  request: IncomingMessage,
  signal: AbortSignal,
) => (openSink: () => Promise<UploadSink>) => Promise<{ fields: Record<string, unknown>; sizes: number[] }>;

const severalFromJson =
  (spec: UploadsSpec): SeveralFrom =>
  (request, signal) => {
    const limits = uploadsLimits(spec);
    checkContentLength(lengthOf(request), asOneFile(limits));
    return (openSink) => receiveUploads(request, openSink, limits, { signal });
  };

const severalFromForm =
  ({ maxFileBytes, maxFiles, maxTotalBytes }: UploadsSpec, kinds: MemberKinds): SeveralFrom =>
  (request, signal) => {
    const limits: MultipartLimits = { maxFileBytes, several: { maxFiles, maxTotalBytes } };
    const boundary = boundaryOf(request.headers["content-type"] ?? "");
    checkMultipartLength(lengthOf(request), limits);
    return (openSink) => receiveMultipart(request, openSink, { boundary, kinds, limits, signal });
  };

/** Reads only as much of a body as is needed to choose the error of the response. */
async function refuse(receiveOne: ReceiveOne, decide: NonNullable<BodyBounds["refuse"]>): Promise<void> {
  const { fields } = await receiveOne({ write: () => undefined }, (early) => decide(early, false));
  await decide(fields, true);
}

const readJson: BodyReceiver = async (request, signal) => withoutFile(await receiveJson(request, { signal }));

const rawReader =
  (maxBytes: number): BodyReceiver =>
  async (request, signal) =>
    withoutFile(await readBytes(request, signal, maxBytes));

const readForm: BodyReceiver = async (request, signal) => {
  const form = new URLSearchParams((await readBytes(request, signal, maxFormBytes)).toString("utf8"));
  const repeated = [...form.keys()].find((key) => form.getAll(key).length > 1);
  if (repeated !== undefined) throw invalidRequest(`/${repeated.slice(0, 100)}`, "is given twice");
  return withoutFile(Object.fromEntries(form));
};

async function readBytes(request: IncomingMessage, signal: AbortSignal, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readUntilAborted(request, signal)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw invalidRequest("", `the body is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
