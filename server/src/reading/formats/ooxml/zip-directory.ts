/**
 * Reads the central directory of a ZIP archive, including its 64-bit extension. The directory
 * states the position and the size of each entry.
 */
import { ReadingError } from "../../reader.ts";

export interface ZipEntry {
  /** Path with "/" between folders, and without "/" at its start. */
  name: string;
  method: number;
  encrypted: boolean;
  crc: number;
  /** Inflated size that the directory declares, in bytes. */
  size: number;
  packedSize: number;
  /** Position in the archive at which the packed bytes begin. */
  start: number;
  end: number;
}

interface Directory {
  entries: number;
  start: number;
  end: number;
  /** Number of bytes in front of the archive. It is added to every offset. */
  shift: number;
}

const endSignature = Buffer.of(0x50, 0x4b, 0x05, 0x06);
/** Sizes of the records in bytes, without their variable parts (APPNOTE.TXT 4.3). */
const endSize = 22;
const locatorSignature = 0x07064b50;
const locatorSize = 20;
const end64Signature = 0x06064b50;
const entrySignature = 0x02014b50;
const entrySize = 46;
const localSignature = 0x04034b50;
const localSize = 30;
/** Maximum length of the archive's comment, in bytes. The field for its length has 16 bits. */
const maxCommentSize = 0xffff;

/**
 * Returns the entries of the archive.
 * @throws ReadingError `corrupt` if the archive is damaged, `too_complex` above `maxEntries`.
 */
export function readDirectory(archive: Buffer, maxEntries: number): ZipEntry[] {
  const directory = findDirectory(archive);
  if (directory.entries > maxEntries) {
    throw new ReadingError(
      "too_complex",
      `The archive has ${directory.entries} entries; at most ${maxEntries} are read.`,
    );
  }
  const entries: ZipEntry[] = [];
  let at = directory.start;
  for (let index = 0; index < directory.entries; index++) {
    if (at + entrySize > directory.end || archive.readUInt32LE(at) !== entrySignature) throw damaged();
    const next =
      at + entrySize + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    if (next > directory.end) throw damaged();
    const entry = readEntry(archive, at, directory);
    if (!entry.name.endsWith("/")) entries.push(entry);
    at = next;
  }
  refuseOverlaps(entries);
  return entries;
}

function findDirectory(archive: Buffer): Directory {
  const end = archive.lastIndexOf(endSignature, Math.max(0, archive.length - endSize));
  if (end < 0 || end < archive.length - endSize - maxCommentSize) {
    throw new ReadingError("corrupt", "The file is not an office document, or its end is missing.");
  }
  const entries = archive.readUInt16LE(end + 10);
  const size = archive.readUInt32LE(end + 12);
  const offset = archive.readUInt32LE(end + 16);
  if (entries === 0xffff || size === 0xffffffff || offset === 0xffffffff) {
    const large = findDirectory64(archive, end);
    if (large !== undefined) return large;
  }
  return placed(entries, size, offset, end);
}

function findDirectory64(archive: Buffer, end: number): Directory | undefined {
  const locator = end - locatorSize;
  if (locator < 0 || archive.readUInt32LE(locator) !== locatorSignature) return undefined;
  const at = uint64(archive, locator + 8);
  if (at + 56 > locator || archive.readUInt32LE(at) !== end64Signature) throw damaged();
  return placed(uint64(archive, at + 32), uint64(archive, at + 40), uint64(archive, at + 48), at);
}

/**
 * Computes the position of the directory backwards from its end record, which follows directly
 * after the directory. The stated offset is wrong if other bytes precede the archive.
 */
function placed(entries: number, size: number, offset: number, end: number): Directory {
  const shift = end - size - offset;
  if (shift < 0) throw damaged();
  return { entries, start: offset + shift, end, shift };
}

function readEntry(archive: Buffer, at: number, { start: limit, shift }: Directory): ZipEntry {
  const nameSize = archive.readUInt16LE(at + 28);
  const flags = archive.readUInt16LE(at + 8);
  const name = archive.toString(flags & 0x800 ? "utf8" : "latin1", at + entrySize, at + entrySize + nameSize);
  const { size, packedSize, offset } = sizesOf(archive, at, nameSize);
  const local = offset + shift;
  if (local + localSize > limit || archive.readUInt32LE(local) !== localSignature) throw damaged();
  const start = local + localSize + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  if (start + packedSize > limit) throw damaged();
  return {
    name: name.replaceAll("\\", "/").replace(/^\/+/u, ""),
    method: archive.readUInt16LE(at + 10),
    encrypted: (flags & 1) === 1,
    crc: archive.readUInt32LE(at + 16),
    size,
    packedSize,
    start,
    end: start + packedSize,
  };
}

/**
 * Returns the sizes and the offset of an entry. If a field has its maximum value, its real value is
 * in the 64-bit extra field. The extra field contains only these real values, in this order: size,
 * packed size, offset.
 */
function sizesOf(archive: Buffer, at: number, nameSize: number): { size: number; packedSize: number; offset: number } {
  const fields = [archive.readUInt32LE(at + 24), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 42)];
  let extra = at + entrySize + nameSize;
  const end = extra + archive.readUInt16LE(at + 30);
  while (extra + 4 <= end) {
    const size = archive.readUInt16LE(extra + 2);
    if (archive.readUInt16LE(extra) === 1) {
      let value = extra + 4;
      for (const [index, field] of fields.entries()) {
        if (field !== 0xffffffff || value + 8 > Math.min(extra + 4 + size, end)) continue;
        fields[index] = uint64(archive, value);
        value += 8;
      }
    }
    extra += 4 + size;
  }
  const [size = 0, packedSize = 0, offset = 0] = fields;
  return { size, packedSize, offset };
}

/**
 * Refuses entries that share bytes. With such entries, a small archive could inflate to petabytes.
 */
function refuseOverlaps(entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.start - b.start)) {
    if (entry.start < end) throw new ReadingError("too_complex", "Entries of the archive overlap.");
    end = entry.end;
  }
}

/** Reads a 64-bit number. Values above 2^53 lose precision, but they exceed every limit anyway. */
function uint64(archive: Buffer, at: number): number {
  return archive.readUInt32LE(at) + archive.readUInt32LE(at + 4) * 2 ** 32;
}

const damaged = () => new ReadingError("corrupt", "The archive is damaged.");
