/**
 * Splits an upload body as it arrives. Strings that contain files go to the base64 decoder: the
 * top-level member `file`, or the members `file` of the objects in the array `files`. All other
 * bytes are kept, with `""` in place of these strings. The kept bytes have the same structure as
 * the body, so the strict parser validates them at the end. Until then the scanner only
 * distinguishes strings, brackets, colons and commas.
 */
import { FileString } from "./file-string.ts";
import { invalidRequest } from "./invalid-request.ts";

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

export interface ScannerLimits {
  /** Maximum number of bytes of JSON, not counting the contents of the file strings. */
  maxFieldsBytes: number;
  /** Maximum nesting of objects and arrays; the body itself is the first level. */
  maxDepth: number;
  /**
   * True if the body is an upload, whose file strings are decoded from base64. If false, members
   * named `file` are kept like all other members.
   */
  withFile: boolean;
  /**
   * Maximum number of files in a body with a top-level array `files`. Each object in the array has
   * a file in its member `file`. Undefined if the body has at most one file, in its top-level
   * member `file`.
   */
  maxFiles?: number;
  /**
   * Maximum total number of object members and array elements. Without this limit, 1 MiB of empty
   * objects would block the event loop for a quarter of a second.
   */
  maxValues: number;
}

export class UploadScanner {
  readonly #limits: ScannerLimits;
  readonly #kept: KeptBytes;
  #started = false;
  #depth = 0;
  #values = 0;
  /**
   * True while the scanner is inside a string that is kept. `#escaped` is true if the last byte of
   * the string was an unescaped backslash.
   */
  #inString = false;
  #escaped = false;
  /**
   * Start and end of the last string in the kept bytes. When a colon follows, that string is a key.
   */
  #stringStart = 0;
  #stringEnd = 0;
  /** True if the next value belongs to the top-level member `file`. */
  #fileComesNext = false;
  #file: FileString | undefined;
  /** Number of files begun so far. */
  #files = 0;
  /** True inside the value of the top-level member `files`. */
  #inFiles = false;
  /**
   * True if the end of a file has been found, but its last bytes have not been read yet. Used only
   * for bodies with several files.
   */
  #untaken = false;
  /** Number of kept bytes before the content of the current file. */
  #fileAt = 0;

  constructor(limits: ScannerLimits) {
    this.#limits = limits;
    this.#kept = new KeptBytes(limits.maxFieldsBytes);
  }

  /** Returns the number of files begun so far. The getters below describe the last of them. */
  get fileCount(): number {
    return this.#files;
  }

  /** Returns the number of bytes of the file decoded so far; undefined until its string begins. */
  get fileSize(): number | undefined {
    return this.#file?.decoder.size;
  }

  /** True if the string of the file has been read to its end. */
  get fileEnded(): boolean {
    return this.#file?.ended ?? false;
  }

  /** True if the decoded bytes must be taken before `scan` can continue. */
  get outputFull(): boolean {
    return this.#untaken || (this.#file?.decoder.full ?? false);
  }

  /**
   * Returns the bytes of the file decoded since the last call, in a buffer that the next `scan`
   * overwrites.
   */
  takeOutput(): Buffer | undefined {
    this.#untaken = false;
    return this.#file?.decoder.takeOutput();
  }

  /**
   * Scans the chunk from index `from`. Returns the index where it stopped: the end of the chunk, or
   * earlier if the output is full.
   */
  scan(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && !this.outputFull) {
      if (this.#file !== undefined && !this.#file.ended) at = this.#readFile(this.#file, chunk, at);
      else if (this.#inString) at = this.#readString(chunk, at);
      else if (this.#started) at = this.#readStructure(chunk, at);
      else at = this.#readBeginning(chunk, at);
    }
    return at;
  }

  /** Ends scanning. Returns the kept bytes: JSON with an empty string in place of each file. */
  finish(): Buffer {
    if (!this.#started) throw invalidRequest("", "is empty: a JSON object is expected");
    const insideFile = this.#file !== undefined && !this.#file.ended;
    if (this.#depth > 0 || this.#inString || insideFile) throw invalidRequest("", "ends before its JSON is complete");
    return this.#kept.bytes;
  }

  /**
   * Returns the members before the file as a complete JSON object, in which `file` is empty.
   * Returns undefined until the file begins.
   */
  get beforeFile(): Buffer | undefined {
    return this.#file && Buffer.concat([this.#kept.bytes.subarray(0, this.#fileAt), Buffer.from('"}')]);
  }

  #readFile(file: FileString, chunk: Buffer, from: number): number {
    const at = file.read(chunk, from);
    if (file.ended) {
      this.#kept.append(chunk, at - 1, at);
      this.#untaken = this.#limits.maxFiles !== undefined;
    }
    return at;
  }

  #readBeginning(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && isJsonWhiteSpace(chunk[at])) at++;
    if (at < chunk.length) {
      if (chunk[at] !== openBrace)
        throw invalidRequest("", "is not a JSON object: it must begin with {, without a byte order mark");
      this.#started = true;
    }
    this.#kept.append(chunk, from, at);
    return at;
  }

  /** Reads up to and including the quote that opens the next string. */
  #readStructure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      switch (chunk[at]) {
        case quote:
          this.#kept.append(chunk, from, at + 1);
          this.#openString();
          return at + 1;
        case openBrace:
        case openBracket:
          this.#open();
          break;
        case closeBrace:
        case closeBracket:
          this.#depth--;
          break;
        case colon:
          this.#noticeKey();
          break;
        case comma:
          this.#countValue();
          if (this.#depth === this.#fileDepth) this.#fileComesNext = false;
          if (this.#depth === 1) this.#inFiles = false;
          break;
      }
    }
    this.#kept.append(chunk, from, chunk.length);
    return chunk.length;
  }

  /** Reads up to and including the quote that closes the current string. */
  #readString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.#escaped) this.#escaped = false;
      else if (chunk[at] === backslash) this.#escaped = true;
      else if (chunk[at] === quote) {
        this.#kept.append(chunk, from, at + 1);
        this.#inString = false;
        this.#stringEnd = this.#kept.length;
        return at + 1;
      }
    }
    this.#kept.append(chunk, from, chunk.length);
    return chunk.length;
  }

  #open(): void {
    this.#countValue();
    if (++this.#depth > this.#limits.maxDepth)
      throw invalidRequest("", `nests deeper than ${this.#limits.maxDepth} levels`);
    if (this.#depth === this.#fileDepth) this.#fileComesNext = false;
  }

  /**
   * Counts a member or element. Called at each comma, and at each opening bracket for the first
   * value inside it.
   */
  #countValue(): void {
    if (++this.#values > this.#limits.maxValues)
      throw invalidRequest("", `contains more than ${this.#limits.maxValues} values`);
  }

  /** Returns the nesting depth of the objects whose member `file` contains a file. */
  get #fileDepth(): number {
    return this.#limits.maxFiles === undefined ? 1 : 3;
  }

  /**
   * Called at each colon, when the last string is the key of the next value. Records whether that
   * value is the array `files` or a file.
   */
  #noticeKey(): void {
    const { withFile, maxFiles } = this.#limits;
    if (!withFile) return;
    if (maxFiles !== undefined && this.#depth === 1) this.#inFiles = this.#lastStringIs("files");
    else if (this.#depth === this.#fileDepth && (maxFiles === undefined || this.#inFiles))
      this.#fileComesNext = this.#lastStringIs("file");
  }

  #openString(): void {
    if (this.#depth === this.#fileDepth && this.#fileComesNext) {
      this.#openFile();
      return;
    }
    this.#inString = true;
    this.#stringStart = this.#kept.length - 1;
  }

  #openFile(): void {
    const { maxFiles } = this.#limits;
    if (maxFiles === undefined && this.#file !== undefined) throw invalidRequest("/file", "is given twice");
    if (maxFiles !== undefined && this.#files >= maxFiles)
      throw invalidRequest("/files", `must not have more than ${maxFiles} items`);
    this.#file = new FileString(maxFiles === undefined ? "/file" : `/files/${this.#files}/file`);
    this.#files++;
    this.#fileAt = this.#kept.length;
  }

  /** Returns true if the last key has this name, however its characters are escaped. */
  #lastStringIs(name: "file" | "files"): boolean {
    if (this.#stringEnd - this.#stringStart > '""'.length + name.length * "\\u0066".length) return false;
    const key = this.#kept.bytes.toString("latin1", this.#stringStart, this.#stringEnd);
    if (!key.includes("\\")) return key === `"${name}"`;
    try {
      return JSON.parse(key) === name;
    } catch {
      return false; // The key is malformed; the strict parser will refuse it.
    }
  }
}

function isJsonWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** A buffer that doubles when full, up to a limit. */
class KeptBytes {
  length = 0;
  readonly #limit: number;
  #buffer = Buffer.allocUnsafeSlow(1024);

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  append(chunk: Buffer, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.#limit) throw invalidRequest("", `takes more than ${this.#limit} bytes besides the file`);
    if (length > this.#buffer.length) this.#grow(length);
    chunk.copy(this.#buffer, this.length, from, to);
    this.length = length;
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.length);
    this.#buffer = grown;
  }
}
