/**
 * Splits an upload body as it arrives: the string of the top-level `file` member goes to the base64 decoder, all other bytes are
 * kept, with `""` in the place of that string. What is kept is the whole grammar of the body, so the strict parser that reads it
 * at the end judges the body as a whole; until then this scanner only has to tell strings, brackets, colons and commas apart.
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
  /** Bytes of JSON besides the contents of the file string. */
  maxFieldsBytes: number;
  /** Levels of objects and arrays, the body itself being the first. */
  maxDepth: number;
  /** Whether the top-level member `file` is base64 to be decoded, and not a member like any other. */
  withFile: boolean;
  /** Members and elements in all. Without it 1 MiB of empty objects holds the event loop for a quarter of a second. */
  maxValues: number;
}

export class UploadScanner {
  readonly #limits: ScannerLimits;
  readonly #kept: KeptBytes;
  #started = false;
  #depth = 0;
  #values = 0;
  /** Inside a string that is kept, and whether its last byte was a backslash that is not escaped itself. */
  #inString = false;
  #escaped = false;
  /** Where in the kept bytes the last string began and ended: at a colon that string is the key. */
  #stringStart = 0;
  #stringEnd = 0;
  /** The key of the top-level member whose value comes next is `file`. */
  #fileComesNext = false;
  #file: FileString | undefined;
  /** Length of the kept bytes where the string of the file begins. */
  #fileAt = 0;

  constructor(limits: ScannerLimits) {
    this.#limits = limits;
    this.#kept = new KeptBytes(limits.maxFieldsBytes);
  }

  /** Bytes of the file decoded so far; undefined until its string begins. */
  get fileSize(): number | undefined {
    return this.#file?.decoder.size;
  }

  /** Whether the string of the file has been read to its end. */
  get fileEnded(): boolean {
    return this.#file?.ended ?? false;
  }

  /** Whether the decoded bytes have to be taken before `scan` can go on. */
  get outputFull(): boolean {
    return this.#file?.decoder.full ?? false;
  }

  /** The file's bytes decoded since the last call, in a buffer that the next `scan` overwrites. */
  takeOutput(): Buffer | undefined {
    return this.#file?.decoder.takeOutput();
  }

  /** Reads the chunk from `from` on; returns the index where it stopped: the end of the chunk, or sooner where the output is full. */
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

  /** Says that the body has ended. Returns the kept bytes: JSON with an empty string in the place of the file's. */
  finish(): Buffer {
    if (!this.#started) throw invalidRequest("", "is empty: a JSON object is expected");
    const insideFile = this.#file !== undefined && !this.#file.ended;
    if (this.#depth > 0 || this.#inString || insideFile) throw invalidRequest("", "ends before its JSON is complete");
    return this.#kept.bytes;
  }

  /** Returns what has come before the file as a whole object, with an empty file; undefined until the file begins. */
  get beforeFile(): Buffer | undefined {
    return this.#file && Buffer.concat([this.#kept.bytes.subarray(0, this.#fileAt), Buffer.from('"}')]);
  }

  #readFile(file: FileString, chunk: Buffer, from: number): number {
    const at = file.read(chunk, from);
    if (file.ended) this.#kept.append(chunk, at - 1, at);
    return at;
  }

  #readBeginning(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && isJsonWhiteSpace(chunk[at])) at++;
    if (at < chunk.length) {
      if (chunk[at] !== openBrace)
        throw invalidRequest("", "is not a JSON object: it has to begin with {, without a byte order mark");
      this.#started = true;
    }
    this.#kept.append(chunk, from, at);
    return at;
  }

  /** Up to and with the quote that opens the next string. */
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
          if (this.#limits.withFile && this.#depth === 1) this.#fileComesNext = this.#lastStringIsFile();
          break;
        case comma:
          this.#countValue();
          if (this.#depth === 1) this.#fileComesNext = false;
          break;
      }
    }
    this.#kept.append(chunk, from, chunk.length);
    return chunk.length;
  }

  /** Up to and with the quote that closes the string. */
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
  }

  /** Called at each comma and at each opening bracket, which comes before the first value inside. */
  #countValue(): void {
    if (++this.#values > this.#limits.maxValues)
      throw invalidRequest("", `holds more than ${this.#limits.maxValues} values`);
  }

  #openString(): void {
    if (this.#depth === 1 && this.#fileComesNext) {
      if (this.#file !== undefined) throw invalidRequest("/file", "is given twice");
      this.#file = new FileString();
      this.#fileAt = this.#kept.length;
      return;
    }
    this.#inString = true;
    this.#stringStart = this.#kept.length - 1;
  }

  /** `"file"`, however its letters are escaped. */
  #lastStringIsFile(): boolean {
    if (this.#stringEnd - this.#stringStart > '"\\u0066\\u0069\\u006c\\u0065"'.length) return false;
    const key = this.#kept.bytes.toString("latin1", this.#stringStart, this.#stringEnd);
    if (!key.includes("\\")) return key === '"file"';
    try {
      return JSON.parse(key) === "file";
    } catch {
      return false; // The strict parser will refuse it.
    }
  }
}

function isJsonWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Bytes in one buffer that doubles as it fills, up to a limit. */
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
