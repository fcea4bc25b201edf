/**
 * Writes ZIP archives for tests. Their headers can contain false statements, such as wrong sizes.
 */
import { constants, crc32, deflateRawSync } from "node:zlib";

export interface HostileEntry {
  name: string;
  /** Deflated bytes, as they are stored in the archive. */
  packed: Uint8Array;
  /** Size after inflating, as the directory of the archive states it. */
  size: number;
  crc: number;
  /** True if the sizes are written in the ZIP64 extension. */
  large?: boolean;
  /** Unix type and permissions of the file, as archiving programs store them. */
  mode?: number;
  /**
   * Index of another entry. If given, this entry has no bytes of its own, and its directory record
   * points to the bytes of the other entry.
   */
  shares?: number;
}

/** Returns an entry that states its sizes correctly. */
export function entryOf(name: string, content: string | Uint8Array): HostileEntry {
  const bytes = Buffer.from(content);
  return { name, packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) };
}

/**
 * Returns an entry that holds `content` repeated `times` times. The whole text is never in memory,
 * so its checksum is unknown.
 */
export function repeated(content: string | Uint8Array, times: number): Pick<HostileEntry, "packed" | "size"> {
  // Each piece ends at a whole byte and does not refer to earlier pieces, so pieces can be joined.
  const piece = deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH });
  const last = deflateRawSync("");
  return {
    packed: Buffer.concat([...Array<Buffer>(times).fill(piece), last]),
    size: Buffer.byteLength(content) * times,
  };
}

export function makeHostileZip(entries: readonly HostileEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const entry of entries) {
    offsets.push(entry.shares === undefined ? at : (offsets[entry.shares] ?? 0));
    if (entry.shares !== undefined) continue;
    const local = Buffer.concat([localHeader(entry), entry.packed]);
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries.map((entry, index) => directoryEntry(entry, offsets[index] ?? 0)));
  return Buffer.concat([...parts, directory, ...endOf(entries.length, directory.length, at)]);
}

const full = 0xffffffff;

function localHeader({ name, packed, size, crc, large }: HostileEntry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(0x800, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(large ? full : size, 22);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function directoryEntry({ name, packed, size, crc, large, mode = 0 }: HostileEntry, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  // The version field: made by version 2.0 on Unix.
  header.writeUInt16LE(0x0314, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(0x800, 8);
  header.writeUInt16LE(8, 10);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packed.length, 20);
  header.writeUInt32LE(large ? full : size, 24);
  header.writeUInt16LE(Buffer.byteLength(name), 28);
  header.writeUInt16LE(large ? 12 : 0, 30);
  header.writeUInt32LE(mode * 0x10000, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, Buffer.from(name), ...(large ? [sizeExtension(size)] : [])]);
}

function sizeExtension(size: number): Buffer {
  const extension = Buffer.alloc(12);
  extension.writeUInt16LE(1, 0);
  extension.writeUInt16LE(8, 2);
  extension.writeBigUInt64LE(BigInt(size), 4);
  return extension;
}

/**
 * Writes the end of the archive. Adds a ZIP64 end record if there are too many entries for the
 * usual end record.
 */
function endOf(entries: number, size: number, offset: number): Buffer[] {
  const isLarge = entries >= 0xffff;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isLarge ? 0xffff : entries, 8);
  end.writeUInt16LE(isLarge ? 0xffff : entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  if (!isLarge) return [end];
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) large.writeBigUInt64LE(BigInt(entries), at);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return [large, locator, end];
}
