/** Writes ZIP archives, using the compression that browsers have built in. */

interface ZipFile {
  name: string;
  content: string;
}

const signatures = { file: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 } as const;
/** Version of the ZIP format: 2.0, encoded as 20. */
const version = 20;
/** Flag for file names in UTF-8. */
const utf8 = 0x0800;
const deflate = 8;
/**
 * Date of all files: 1 January 1980, the earliest that the format allows. It is fixed, so that the
 * same content always yields the same archive.
 */
const date = 0x21;

export async function zip(files: readonly ZipFile[]): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const bytes = new TextEncoder().encode(content);
    const packed = await deflated(bytes);
    const encodedName = new TextEncoder().encode(name);
    const about = [version, utf8, deflate, 0, date] as const;
    const sizes = [crc32(bytes), packed.length, bytes.length] as const;
    const header = record([signatures.file, ...shorts(about), ...sizes, ...shorts([encodedName.length, 0])]);
    parts.push(header, encodedName, packed);
    const entry = [
      signatures.entry,
      ...shorts([version, ...about]),
      ...sizes,
      ...shorts([encodedName.length, 0, 0, 0, 0]),
    ];
    directory.push(record([...entry, 0, offset]), encodedName);
    offset += header.length + encodedName.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = files.length;
  const end = record([signatures.end, ...shorts([0, 0, count, count]), size, offset, ...shorts([0])]);
  return new Blob([...parts, ...directory, end]);
}

interface Short {
  short: number;
}

const shorts = (values: readonly number[]): Short[] => values.map((short) => ({ short }));

/** Encodes numbers in little-endian order: as 16 bits if marked as short, otherwise as 32 bits. */
function record(values: readonly (number | Short)[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.reduce((sum: number, value) => sum + (typeof value === "number" ? 4 : 2), 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const value of values)
    if (typeof value === "number") {
      view.setUint32(at, value, true);
      at += 4;
    } else {
      view.setUint16(at, value.short, true);
      at += 2;
    }
  return bytes;
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
