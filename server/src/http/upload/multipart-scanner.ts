/**
 * Splits a `multipart/form-data` body (RFC 7578) into its parts as it arrives. Stricter than most
 * parsers: it refuses everything that it does not understand, instead of skipping it.
 */
import { invalidRequest } from "./invalid-request.ts";
import { headerParameters, type PartHeader, parsePartHeader } from "./part-header.ts";

/** Media type of multipart bodies, without parameters. */
export const multipartType = "multipart/form-data";

/** Maximum length of the header of a part, in bytes. */
const maxHeaderBytes = 8 * 1024;
/** Maximum length of the text between a delimiter and the end of its line, in bytes. */
const maxPaddingBytes = 256;

export type PartEvent =
  | { kind: "begin"; header: PartHeader }
  /** Bytes of the part, valid until the next event. */
  | { kind: "data"; bytes: Buffer }
  | { kind: "end" };

type State = "preamble" | "delimiter" | "header" | "content" | "epilogue";

const crlf = Buffer.from("\r\n");
const endOfHeader = Buffer.from("\r\n\r\n");

/**
 * Returns the boundary that the `Content-Type` header declares.
 * @throws AppError `invalid_request`
 */
export function boundaryOf(contentType: string): string {
  const boundary = headerParameters(contentType)?.get("boundary");
  if (boundary === undefined || !/^[\w'()+,./:=? -]{1,70}$/.test(boundary) || boundary.endsWith(" "))
    throw invalidRequest("", "Content-Type must have a boundary of 1 to 70 allowed characters");
  return boundary;
}

export class MultipartScanner {
  readonly #delimiter: Buffer;
  readonly #maxParts: number;
  #state: State = "preamble";
  /**
   * Bytes that have not been parsed yet. Initially a line end, because every delimiter begins with
   * a line end, but the body may begin without it.
   */
  #rest: Buffer = crlf;
  #parts = 0;

  constructor(boundary: string, maxParts: number) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#maxParts = maxParts;
  }

  /** Takes the next chunk. All events must be consumed before the next call. */
  *scan(chunk: Buffer): Generator<PartEvent, void> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      if (this.#state === "content") {
        const at = this.#rest.indexOf(this.#delimiter);
        // Keeps the last bytes, because a delimiter may begin in them.
        const end = at >= 0 ? at : Math.max(0, this.#rest.length - this.#delimiter.length + 1);
        if (end > 0) yield { kind: "data", bytes: this.#rest.subarray(0, end) };
        this.#rest = this.#rest.subarray(end);
        if (at < 0) return;
        yield { kind: "end" };
        this.#take(this.#delimiter.length, "delimiter");
      } else if (this.#state === "header") {
        const header = this.#readHeader();
        if (header === undefined) return;
        yield { kind: "begin", header };
      } else if (!this.#readBetween()) return;
    }
  }

  /** @throws AppError `invalid_request` if the closing delimiter has not arrived */
  finish(): void {
    if (this.#state !== "epilogue") throw invalidRequest("", "ends before the closing boundary");
  }

  /** Reads the bytes outside of parts. Returns false if more bytes are needed. */
  #readBetween(): boolean {
    if (this.#state === "preamble") return this.#readPreamble();
    if (this.#state === "delimiter") return this.#readDelimiter();
    if (this.#rest.some((byte) => byte !== 0x0d && byte !== 0x0a))
      throw invalidRequest("", "continues after its closing boundary");
    this.#rest = this.#rest.subarray(this.#rest.length);
    return false;
  }

  #readPreamble(): boolean {
    const { length } = this.#delimiter;
    const begin = this.#rest.subarray(0, length);
    if (!this.#delimiter.subarray(0, begin.length).equals(begin)) {
      // Some clients begin the body with an empty line.
      if (begin.length < 4 && endOfHeader.subarray(0, begin.length).equals(begin)) return false;
      if (!begin.subarray(0, 4).equals(endOfHeader)) throw invalidRequest("", "does not begin with its boundary");
      this.#rest = this.#rest.subarray(crlf.length);
      return true;
    }
    if (begin.length < length) return false;
    this.#take(length, "delimiter");
    return true;
  }

  /** Reads the rest of a delimiter line: `--` ends the body. */
  #readDelimiter(): boolean {
    if (this.#rest.length < 2) return false;
    if (this.#rest[0] === 0x2d && this.#rest[1] === 0x2d) {
      this.#take(2, "epilogue");
      return true;
    }
    const end = this.#rest.indexOf(crlf);
    const padding = this.#rest.subarray(0, end < 0 ? this.#rest.length : end);
    const isPadding = padding.length <= maxPaddingBytes && /^[ \t]*\r?$/.test(padding.toString("latin1"));
    if (!isPadding) throw invalidRequest("", "has text after a boundary");
    if (end < 0) return false;
    if (++this.#parts > this.#maxParts) throw invalidRequest("", `has more than ${this.#maxParts} parts`);
    // Keeps the line end, so that a header without lines ends like any other, with an empty line.
    this.#take(end, "header");
    return true;
  }

  #readHeader(): PartHeader | undefined {
    const end = this.#rest.indexOf(endOfHeader);
    if (end > maxHeaderBytes || (end < 0 && this.#rest.length > maxHeaderBytes + endOfHeader.length))
      throw invalidRequest("", `the header of a part has more than ${maxHeaderBytes} bytes`);
    if (end < 0) return undefined;
    const header = parsePartHeader(this.#rest.subarray(Math.min(end, crlf.length), end));
    this.#take(end + endOfHeader.length, "content");
    return header;
  }

  #take(bytes: number, next: State): void {
    this.#rest = this.#rest.subarray(bytes);
    this.#state = next;
  }
}
