/**
 * Receives a `multipart/form-data` body with one or several files. Each file is written to a sink
 * as it arrives and is never in memory as a whole. The other parts become the members of a JSON
 * body for the same endpoint.
 */
import { AppError } from "../../lib/errors.ts";
import { readUntilAborted } from "./body-chunks.ts";
import { FormMembers, type MemberKinds } from "./form-members.ts";
import { invalidRequest } from "./invalid-request.ts";
import { MultipartScanner } from "./multipart-scanner.ts";
import { type PartHeader, pointerTo } from "./part-header.ts";
import { fieldLimits, type UploadSink } from "./receive-upload.ts";

/** Maximum number of parts that are not files. */
const maxOtherParts = 100;
/** Room for the delimiters and headers of parts, in bytes. */
const maxHeadersBytes = 64 * 1024;

export interface MultipartLimits {
  /** Maximum size of one file in bytes, inclusive. */
  maxFileBytes: number;
  /**
   * Present if the body may have several files, in parts named `files`. Otherwise the body has one
   * file, in a part named `file`.
   */
  several?: { maxFiles: number; maxTotalBytes: number };
}

export interface MultipartBody {
  /**
   * The members of the JSON body. If several files are allowed, `files` has one object per file,
   * with the file name.
   */
  fields: Record<string, unknown>;
  /** Size of each file in bytes, in the order of the files in the body. */
  sizes: number[];
}

/**
 * Returns the maximum length of a body in bytes. Reading stops beyond this length, because the
 * files or the rest of a longer body are certainly too large.
 */
export const maxMultipartBytes = ({ maxFileBytes, several }: MultipartLimits): number =>
  (several?.maxTotalBytes ?? maxFileBytes) + fieldLimits.maxFieldsBytes + maxHeadersBytes;

/**
 * Refuses a body whose Content-Length is too large, before any of it is read. The `detail.size` of
 * the error is then only an upper bound of the file size.
 * @throws AppError `file_too_large`
 */
export function checkMultipartLength(contentLength: number, limits: MultipartLimits): void {
  if (contentLength > maxMultipartBytes(limits)) throw tooLarge(limits, contentLength);
}

export interface MultipartOptions {
  boundary: string;
  kinds: MemberKinds;
  limits: MultipartLimits;
  signal?: AbortSignal;
  /** Called when a file begins, with the members that precede the file. */
  onFile?: (fields: Record<string, unknown>) => Promise<void>;
}

/**
 * Reads a body to its end. If the body is refused, the caller must discard what the sinks have
 * received. If only one file is allowed and that file is too large, it is still read to its end to
 * determine its size, but is no longer written.
 * @param openSink called when a file begins, with its index
 * @throws AppError `invalid_request`, `file_too_large`; any error of the body, a sink or `onFile`;
 * the reason of the signal
 */
export async function receiveMultipart(
  body: AsyncIterable<Uint8Array>,
  openSink: (index: number) => Promise<UploadSink> | UploadSink,
  options: MultipartOptions,
): Promise<MultipartBody> {
  const { boundary, limits, signal } = options;
  const scanner = new MultipartScanner(boundary, maxOtherParts + (limits.several?.maxFiles ?? 1));
  const form = new MultipartForm(openSink, options);
  const maxBytes = maxMultipartBytes(limits);
  let bytes = 0;
  for await (const chunk of readUntilAborted(body, signal)) {
    bytes += chunk.length;
    for (const event of scanner.scan(chunk)) {
      if (event.kind === "begin") await form.begin(event.header);
      else if (event.kind === "data") await form.write(event.bytes);
      else form.end();
    }
    if (bytes > maxBytes) throw form.tooLong();
  }
  scanner.finish();
  return form.finish();
}

/** Collects the parts of a body: writes files to sinks and keeps the other parts as members. */
class MultipartForm {
  readonly #openSink: (index: number) => Promise<UploadSink> | UploadSink;
  readonly #options: MultipartOptions;
  readonly #members: FormMembers;
  readonly #filenames: (string | undefined)[] = [];
  readonly #sizes: number[] = [];
  /** Sink of the current part, if that part is a file. Any other part is kept in `#part`. */
  #sink: UploadSink | undefined;
  #part: { name: string; chunks: Buffer[] } | undefined;

  constructor(openSink: (index: number) => Promise<UploadSink> | UploadSink, options: MultipartOptions) {
    this.#openSink = openSink;
    this.#options = options;
    this.#members = new FormMembers(options.kinds);
  }

  get #fileMember(): "file" | "files" {
    return this.#options.limits.several ? "files" : "file";
  }

  async begin({ name, filename }: PartHeader): Promise<void> {
    const { kinds, onFile } = this.#options;
    if (name !== this.#fileMember) {
      if (filename !== undefined && !kinds.has(name))
        throw invalidRequest(pointerTo(name), `is not a member of the body: a file belongs to "${this.#fileMember}"`);
      this.#members.count(Buffer.byteLength(name));
      this.#part = { name, chunks: [] };
      return;
    }
    this.#checkCount();
    this.#filenames.push(filename);
    this.#sizes.push(0);
    if (onFile) await onFile(this.#fields());
    this.#sink = await this.#openSink(this.#sizes.length - 1);
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.#part !== undefined) {
      this.#members.count(bytes.length);
      this.#part.chunks.push(Buffer.from(bytes));
      return;
    }
    const size = (this.#sizes.at(-1) ?? 0) + bytes.length;
    this.#sizes[this.#sizes.length - 1] = size;
    const { limits } = this.#options;
    if (limits.several) this.#checkSizes();
    if (size <= limits.maxFileBytes) await this.#sink?.write(bytes);
  }

  end(): void {
    if (this.#part !== undefined) this.#members.add(this.#part.name, Buffer.concat(this.#part.chunks));
    else this.#checkSizes();
    if (this.#part === undefined && this.#sizes.at(-1) === 0) throw invalidRequest(this.#pointer, "must not be empty");
    this.#part = undefined;
    this.#sink = undefined;
  }

  finish(): MultipartBody {
    return { fields: this.#fields(), sizes: this.#sizes };
  }

  tooLong(): Error {
    const { limits } = this.#options;
    const size = this.#sizes.at(-1) ?? 0;
    return size > limits.maxFileBytes
      ? tooLarge(limits, size)
      : invalidRequest("", "has too many bytes besides the file");
  }

  /** Returns the JSON pointer to the file that was started most recently. */
  get #pointer(): string {
    return this.#options.limits.several ? `/files/${this.#sizes.length - 1}/file` : "/file";
  }

  #checkCount(): void {
    const { several } = this.#options.limits;
    if (several && this.#sizes.length >= several.maxFiles)
      throw invalidRequest("/files", `must not have more than ${several.maxFiles} items`);
    if (!several && this.#sizes.length > 0) throw invalidRequest("/file", "is given twice");
  }

  #checkSizes(): void {
    const { limits } = this.#options;
    const size = this.#sizes.at(-1) ?? 0;
    if (size > limits.maxFileBytes) throw new AppError("file_too_large", { limit: limits.maxFileBytes, size });
    const total = this.#sizes.reduce((sum, each) => sum + each, 0);
    if (limits.several && total > limits.several.maxTotalBytes) throw tooLarge(limits, total);
  }

  /**
   * Returns the members of the body. If there is no part named `filename`, the name of a single
   * file is taken from the header of the file's own part.
   */
  #fields(): Record<string, unknown> {
    const [filename] = this.#filenames;
    const fields = this.#members.parse();
    if (this.#options.limits.several) {
      if (this.#filenames.length > 0) fields.files = this.#filenames.map((each) => fileMember(each));
    } else if (filename !== undefined) fields.filename ??= filename;
    return fields;
  }
}

const fileMember = (filename: string | undefined): object =>
  Object.assign(Object.create(null), { ...(filename !== undefined && { filename }), file: "" });

const tooLarge = ({ maxFileBytes, several }: MultipartLimits, size: number): AppError<"file_too_large"> =>
  new AppError("file_too_large", { limit: several?.maxTotalBytes ?? maxFileBytes, size });
