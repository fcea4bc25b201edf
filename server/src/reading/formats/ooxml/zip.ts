/**
 * Opens untrusted ZIP archives. What the directory declares is checked before any byte is inflated.
 * Inflated data must not be larger than declared. Names of entries are only used as keys of a map,
 * never as file paths.
 */
import { crc32, inflateRawSync } from "node:zlib";
import { ReadingError } from "../../reader.ts";
import { notAnArchive } from "./ole2.ts";
import { readDirectory, type ZipEntry } from "./zip-directory.ts";

export interface ZipLimits {
  maxEntries: number;
  /** Maximum inflated size of one entry, in bytes. */
  maxEntryBytes: number;
  /** Maximum inflated size of all entries, in bytes. */
  maxTotalBytes: number;
  /**
   * Maximum ratio of inflated to deflated size, for entries larger than `ratioFromBytes`. The
   * highest ratio that deflate can reach is 1,032.
   */
  maxRatio: number;
  ratioFromBytes: number;
}

/**
 * Default limits. Real office files have a ratio below about 60. The largest real sheets have about
 * 200 MB of XML.
 */
export const defaultZipLimits: ZipLimits = {
  maxEntries: 10_000,
  maxEntryBytes: 256 * 2 ** 20,
  maxTotalBytes: 400 * 2 ** 20,
  maxRatio: 250,
  ratioFromBytes: 2 ** 20,
};

export interface Zip {
  /** Paths as stored, but with "/" between folders and without "/" at the start. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /**
   * Returns the bytes of an entry, or undefined if there is no such entry. Names are
   * case-insensitive. The bytes may share memory with the archive.
   * @throws ReadingError `corrupt` if the entry is damaged, `too_complex` if it contains more than
   * declared, `encrypted` if it is encrypted.
   */
  read(name: string): Uint8Array | undefined;
}

/**
 * @throws ReadingError `empty`, `corrupt`, `encrypted` (an office file in an encrypted container)
 * or `too_complex`.
 */
export function openZip(bytes: Uint8Array, limits: ZipLimits = defaultZipLimits): Zip {
  if (bytes.length === 0) throw new ReadingError("empty", "The file is empty.");
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const refusal = notAnArchive(archive);
  if (refusal !== undefined) throw refusal;
  const entries = readDirectory(archive, limits.maxEntries);
  checkSizes(entries, limits);
  const byName = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const key = entry.name.toLowerCase();
    // If two entries had the same name, two programs could read different documents from one
    // archive.
    if (byName.has(key)) throw new ReadingError("corrupt", "The archive has two entries with the same name.");
    byName.set(key, entry);
  }
  return {
    names: entries.map((entry) => entry.name),
    has: (name) => byName.has(name.toLowerCase()),
    read(name) {
      const entry = byName.get(name.toLowerCase());
      return entry && inflate(archive, entry, limits);
    },
  };
}

/**
 * Checks the declared sizes. The limit on the ratio does not apply to parts that are never
 * inflated, such as images: a white bitmap may well be compressed a thousandfold. Such parts count
 * only towards the total.
 */
function checkSizes(entries: readonly ZipEntry[], limits: ZipLimits): void {
  let total = 0;
  for (const entry of entries) {
    total += entry.size;
    if (isMarkup(entry.name)) checkEntry(entry, limits);
  }
  if (total > limits.maxTotalBytes) {
    throw new ReadingError(
      "too_complex",
      `The archive inflates to ${total} bytes; at most ${limits.maxTotalBytes} are read.`,
    );
  }
}

const isMarkup = (name: string): boolean => /\.(?:xml|rels|vml)$/iu.test(name);

function checkEntry({ size, packedSize }: ZipEntry, limits: ZipLimits): void {
  if (size > limits.maxEntryBytes) {
    throw new ReadingError(
      "too_complex",
      `A part inflates to ${size} bytes; at most ${limits.maxEntryBytes} are read.`,
    );
  }
  if (size > limits.ratioFromBytes && size > packedSize * limits.maxRatio) {
    throw new ReadingError("too_complex", "The compression ratio of a part is implausibly high.");
  }
}

const stored = 0;
const deflated = 8;

function inflate(archive: Buffer, entry: ZipEntry, limits: ZipLimits): Uint8Array {
  if (entry.encrypted) throw new ReadingError("encrypted", "The archive is encrypted.");
  checkEntry(entry, limits);
  const packed = archive.subarray(entry.start, entry.end);
  const bytes = entry.method === deflated ? inflated(packed, entry.size) : packed;
  if (entry.method !== deflated && entry.method !== stored) {
    throw new ReadingError("corrupt", "The archive uses an unknown compression method.");
  }
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) {
    throw new ReadingError("corrupt", "A part of the archive is damaged.");
  }
  return bytes;
}

function inflated(packed: Buffer, size: number): Buffer {
  try {
    // The output buffer has exactly the declared size. So nothing is copied, and inflating stops at
    // that size.
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) });
  } catch (error) {
    if (error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw new ReadingError("too_complex", "A part of the archive is larger than declared.", { cause: error });
    }
    throw new ReadingError("corrupt", "A part of the archive is damaged.", { cause: error });
  }
}
