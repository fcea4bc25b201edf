/**
 * Format of stored Documents: one line of JSON per page, and a last line with all other members.
 * This allows Documents to be written and read page by page. The lines are compressed in zstd
 * frames of a few pages each, so that a page can be read without reading the pages before it. A
 * skippable frame at the end contains the index of the frames (RFC 8878, 3.1.2). Files written by
 * earlier versions of Sheaf are a single frame without an index.
 */
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { constants, createZstdDecompress, zstdCompress, zstdDecompress } from "node:zlib";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { TemporaryFile } from "../../files/temporary-files.ts";
import type { Document, Page } from "../../reading/document.ts";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * Minimum size of the JSON in a frame, in bytes. A dense page takes 40 KB. Smaller frames make
 * files larger; larger frames make it slower to read a single page.
 */
const frameBytes = 256 * 1024;

/** A frame in the file. */
interface Frame {
  lines: number;
  /** Compressed size in bytes. */
  size: number;
}

/**
 * Magic number of the skippable frame: the first of the 16 that zstd reserves for skippable frames.
 */
const skippableMagic = 0x184d2a50;
/** Size of the skippable frame's header, in bytes: its magic number and the size of its content. */
const skippableHeaderBytes = 8;
/**
 * Size of an index entry, in bytes: a frame's number of lines and compressed size, 32 bits each.
 */
const entryBytes = 8;
/** Size of the end of the index, in bytes: the number of frames, and the marker. */
const footerBytes = 12;
const marker = Buffer.from("SHEAFIDX");

/** Writes a Document into a temporary file as its pages arrive. */
export class DocumentWriter {
  readonly #file: TemporaryFile;
  readonly #frames: Frame[] = [];
  #lines: Buffer[] = [];
  #bytes = 0;

  constructor(file: TemporaryFile) {
    this.#file = file;
  }

  async page(page: Page): Promise<void> {
    this.#add(page);
    if (this.#bytes >= frameBytes) await this.#endFrame();
  }

  async end(rest: Omit<Document, "pages">): Promise<void> {
    this.#add(rest);
    await this.#endFrame();
    await this.#file.write(indexOf(this.#frames));
    await this.#file.close();
  }

  #add(line: object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    this.#lines.push(bytes);
    this.#bytes += bytes.length;
  }

  async #endFrame(): Promise<void> {
    const content = Buffer.concat(this.#lines, this.#bytes);
    const lines = this.#lines.length;
    this.#lines = [];
    this.#bytes = 0;
    const frame = await compress(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    this.#frames.push({ lines, size: frame.length });
    await this.#file.write(frame);
  }
}

function indexOf(frames: readonly Frame[]): Buffer {
  const content = frames.length * entryBytes + footerBytes;
  const index = Buffer.alloc(skippableHeaderBytes + content);
  index.writeUInt32LE(skippableMagic, 0);
  index.writeUInt32LE(content, 4);
  for (const [at, { lines, size }] of frames.entries()) {
    index.writeUInt32LE(lines, skippableHeaderBytes + at * entryBytes);
    index.writeUInt32LE(size, skippableHeaderBytes + at * entryBytes + 4);
  }
  index.writeUInt32LE(frames.length, index.length - footerBytes);
  marker.copy(index, index.length - marker.length);
  return index;
}

/**
 * Reads a whole stored Document.
 * @throws Error if the Document is incomplete; an error with code ENOENT if the file does not exist
 */
export async function readDocumentAt(files: StoredFiles, key: string): Promise<Document> {
  const bytes = await buffer(files.open(key));
  const frames = framesAt(bytes, bytes.length);
  const lines: unknown[] = [];
  const take = (line: Buffer) => {
    lines.push(JSON.parse(line.toString("utf8")));
    return true;
  };
  if (frames === undefined) await readSingleFrame(files, key, take);
  let start = 0;
  for (const { size } of frames ?? []) {
    eachLine(await decompress(bytes.subarray(start, start + size)), take);
    start += size;
  }
  const rest = lines.pop() as Omit<Document, "pages"> | undefined;
  if (rest?.mime === undefined) throw new Error(`The stored Document ${key} is incomplete.`);
  return { ...rest, pages: lines as Page[] };
}

/**
 * Returns the pages with the given numbers, reading as little of the rest of the file as possible.
 * Omits pages that do not exist.
 * @throws an error with code ENOENT if the file does not exist
 */
export async function readPagesAt(
  files: StoredFiles,
  key: string,
  numbers: ReadonlySet<number>,
): Promise<Map<number, Page>> {
  const pages = new Map<number, Page>();
  let number = 0;
  const take = (line: Buffer) => {
    number++;
    const value = numbers.has(number) ? (JSON.parse(line.toString("utf8")) as Page) : undefined;
    // The last line is not a page and has no words.
    if (value?.words !== undefined) pages.set(number, value);
    return pages.size < numbers.size;
  };
  const frames = await readIndex(files, key);
  if (frames === undefined) await readSingleFrame(files, key, take);
  let start = 0;
  for (const { lines, size } of frames ?? []) {
    if ([...numbers].some((each) => each > number && each <= number + lines)) {
      const before = number;
      eachLine(await decompress(await buffer(files.open(key, { start, end: start + size }))), take);
      number = before;
    }
    number += lines;
    start += size;
  }
  return pages;
}

/**
 * Number of bytes that are read from the end of a file to find its index. This is enough for an
 * index of 8,000 frames.
 */
const tailBytes = 64 * 1024;

/** Reads the index of a file. Returns undefined if the file has no index. */
async function readIndex(files: StoredFiles, key: string): Promise<Frame[] | undefined> {
  const size = await files.size(key);
  if (!size) return undefined;
  const tail = await buffer(files.open(key, { start: Math.max(0, size - tailBytes), end: size }));
  return framesAt(tail, size);
}

/**
 * Reads the index of a file from the last bytes of the file, and returns its frames. Returns
 * undefined if there is no index, or if the index does not match the size of the file.
 */
function framesAt(tail: Buffer, fileBytes: number): Frame[] | undefined {
  const footer = tail.length - footerBytes;
  if (footer < 0 || !tail.subarray(-marker.length).equals(marker)) return undefined;
  const count = tail.readUInt32LE(footer);
  const first = footer - count * entryBytes;
  if (first < skippableHeaderBytes) return undefined;
  const frames = Array.from({ length: count }, (_, index) => ({
    lines: tail.readUInt32LE(first + index * entryBytes),
    size: tail.readUInt32LE(first + index * entryBytes + 4),
  }));
  const indexBytes = skippableHeaderBytes + count * entryBytes + footerBytes;
  const stored = frames.reduce((sum, { size }) => sum + size, 0);
  return stored + indexBytes === fileBytes ? frames : undefined;
}

/**
 * Passes the lines one by one to `take`, until `take` returns false. Returns whether `take`
 * accepted all lines.
 */
function eachLine(content: Buffer, take: (line: Buffer) => boolean): boolean {
  let from = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, from)) {
    if (!take(content.subarray(from, at))) return false;
    from = at + 1;
  }
  return true;
}

/** Passes the lines of a file without an index to `take`, until `take` returns false. */
async function readSingleFrame(files: StoredFiles, key: string, take: (line: Buffer) => boolean): Promise<void> {
  const source = files.open(key);
  const unpacked = source.pipe(createZstdDecompress());
  // `pipe` does not forward errors.
  source.on("error", (error) => unpacked.destroy(error));
  try {
    let rest: Buffer[] = [];
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const end = chunk.lastIndexOf(10) + 1;
      if (end > 0) {
        if (!eachLine(Buffer.concat([...rest, chunk.subarray(0, end)]), take)) return;
        rest = [];
      }
      rest.push(chunk.subarray(end));
    }
  } finally {
    source.destroy();
  }
}
