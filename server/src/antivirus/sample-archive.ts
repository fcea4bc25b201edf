/**
 * Generates ZIP archives of any size chunk by chunk. The last member of an archive has the given
 * content.
 */
import { crc32 } from "node:zlib";
import { chunkBytes } from "./clamd.ts";

interface Entry {
  name: string;
  crc: number;
  bytes: number;
}

/**
 * Yields a ZIP archive of exactly `bytes` bytes, in chunks of at most `chunkBytes`. It consists of
 * an empty member, zeros, and a member with the uncompressed content.
 */
export function* archiveWith(content: Buffer, bytes: number): Generator<Uint8Array> {
  const opening: Entry = { name: "opening", crc: 0, bytes: 0 };
  const member: Entry = { name: "content", crc: crc32(content), bytes: content.length };
  const header = localHeader(opening);
  const directoryAt = bytes - endingBytes([opening, member]);
  const memberAt = directoryAt - localHeader(member).length - content.length;
  yield header;
  yield* zeros(memberAt - header.length);
  const directory = [directoryEntry(opening, 0), directoryEntry(member, memberAt)];
  yield Buffer.concat([localHeader(member), content, ...directory, endOfDirectory(directory, directoryAt)]);
}

const lengthOf = (parts: Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

const endingBytes = (entries: Entry[]): number =>
  lengthOf(entries.map((entry) => directoryEntry(entry, 0))) + endOfDirectoryBytes;

const zeroChunk = Buffer.alloc(chunkBytes);

function* zeros(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= chunkBytes) yield zeroChunk.subarray(0, left);
}

/**
 * Returns the fields that occur both in a member's header and in its directory entry. The first of
 * these fields is the version (APPNOTE.TXT 4.3.7 and 4.3.12).
 */
function sharedFields({ name, crc, bytes }: Entry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(bytes, 14);
  fields.writeUInt32LE(bytes, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const localHeader = (entry: Entry): Buffer =>
  Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), sharedFields(entry), Buffer.from(entry.name)]);

function directoryEntry(entry: Entry, at: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(at, 10);
  const opening = Buffer.from("PK\x01\x02\x14\x00", "latin1");
  return Buffer.concat([opening, sharedFields(entry), rest, Buffer.from(entry.name)]);
}

/** Size of the end record without a comment, in bytes. */
const endOfDirectoryBytes = 22;

function endOfDirectory(directory: Buffer[], at: number): Buffer {
  const end = Buffer.alloc(endOfDirectoryBytes);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(lengthOf(directory), 12);
  end.writeUInt32LE(at, 16);
  return end;
}
