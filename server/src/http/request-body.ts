/**
 * Receives the kind of body that an endpoint declares: none, small JSON, a form, JSON that contains
 * one or several files, or raw bytes.
 */
import type { IncomingMessage } from "node:http";
import type { Endpoint, UploadsSpec } from "@sheaf/contract/endpoint.ts";
import { normalize } from "@sheaf/contract/normalize.ts";
import { type Check, compile } from "@sheaf/contract/validate.ts";
import type { TemporaryFile, TemporaryFiles } from "../files/temporary-files.ts";
import { AppError } from "../lib/errors.ts";
import type { BodyBounds, UploadedFile } from "../lib/route.ts";
import { readUntilAborted } from "./upload/body-chunks.ts";
import { invalidRequest } from "./upload/invalid-request.ts";
import {
  checkContentLength,
  receiveJson,
  receiveUpload,
  type UploadLimits,
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
 * Returns the function that receives bodies for an endpoint. It throws AppError `invalid_request`
 * or `file_too_large`, or the reason of the signal.
 */
export function bodyReceiver(endpoint: Endpoint, temporaryFiles: TemporaryFiles): BodyReceiver {
  const { body } = endpoint;
  if (body === undefined) return async () => withoutFile(undefined);
  const check = endpoint.rawBody ? () => [] : compile(body);
  const type = endpoint.bodyType ?? jsonType;
  const read = endpoint.upload
    ? uploadReader(endpoint.upload.maxFileBytes, temporaryFiles)
    : endpoint.uploads
      ? uploadsReader(endpoint.uploads, temporaryFiles)
      : endpoint.rawBody
        ? rawReader(endpoint.rawBody.maxBytes)
        : type === formType
          ? readForm
          : readJson;
  return async (request, signal, bounds) => {
    checkHeaders(request, type);
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

function checkHeaders(request: IncomingMessage, type: string): void {
  const { "content-encoding": encoding = "identity", "transfer-encoding": transfer = "chunked" } = request.headers;
  if (encoding.toLowerCase() !== "identity" || transfer.toLowerCase() !== "chunked")
    throw invalidRequest("", "a compressed body is not accepted");
  const given = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (given !== type) throw invalidRequest("", `Content-Type must be ${type}`);
}

/**
 * Checks the members of a body. The schema describes the file as a string, so an empty string
 * stands for it.
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

function uploadReader(maxFileBytes: number, temporaryFiles: TemporaryFiles): BodyReceiver {
  return async (request, signal, bounds) => {
    const uploads = uploadLimits(Math.min(maxFileBytes, bounds?.maxFileBytes ?? maxFileBytes));
    checkContentLength(Number(request.headers["content-length"] ?? 0), uploads);
    if (bounds?.refuse) await refuse(request, uploads, signal, bounds.refuse);
    const stored = await temporaryFiles.create();
    const dispose = () => stored[Symbol.asyncDispose]();
    try {
      const { fields, file } = await receiveUpload(request, stored, uploads, { signal });
      await stored.close();
      return { fields, file: file && { path: stored.path, size: file.size }, files: [], dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  };
}

/** Stores each file in a temporary file of its own. */
function uploadsReader(spec: UploadsSpec, temporaryFiles: TemporaryFiles): BodyReceiver {
  const limits = uploadsLimits(spec);
  return async (request, signal) => {
    checkContentLength(Number(request.headers["content-length"] ?? 0), asOneFile(limits));
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
      const { fields, sizes } = await receiveUploads(request, openSink, limits, { signal });
      await stored.at(-1)?.close();
      const files = stored.map(({ path }, index) => ({ path, size: sizes[index] ?? 0 }));
      return { fields, file: undefined, files, dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  };
}

/** Reads as much of a body as is needed to determine the error with which it is refused. */
async function refuse(
  request: IncomingMessage,
  uploads: UploadLimits,
  signal: AbortSignal,
  decide: NonNullable<BodyBounds["refuse"]>,
): Promise<void> {
  const nowhere = { write: () => undefined };
  const onFile = (fields: Record<string, unknown>) => decide(fields, false);
  const { fields } = await receiveUpload(request, nowhere, uploads, { signal, onFile });
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
