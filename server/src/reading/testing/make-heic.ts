/**
 * Writes HEIC files for tests. In the HEVC image of such a file, every block holds its samples
 * uncompressed (ITU-T H.265, 7.3.8.7: PCM), so decoding returns exactly the same samples. The files
 * are large, but no encoder is needed.
 */
import type { GrayImage } from "../pixels/gray-image.ts";

/**
 * Width and height of a block in pixels. Each block is one coding tree unit and one coding unit.
 */
const block = 32;
/** Maximum number of blocks in a row. `unlikelyRanges` has no values for more. */
const maxColumns = 32;
const neutralChroma = 128;
/** Range of brightness in video: black is the first value, white the second. */
const [black, white] = [16, 235];

/**
 * Returns the bytes of a HEIC file with the image, which may be up to 1,024 pixels wide. The image
 * is padded with white until it consists of whole blocks. If `codedSide` is given, the video stream
 * falsely states that its picture is a square with sides of that many pixels.
 */
export function makeHeic({ width, height, pixels }: GrayImage, codedSide?: number): Uint8Array {
  const columns = Math.ceil(width / block);
  const rows = Math.ceil(height / block);
  if (columns > maxColumns) throw new RangeError("The image is too wide.");
  const sample = (x: number, y: number): number => {
    const gray = x < width && y < height ? (pixels[y * width + x] ?? 0) : 255;
    return Math.round(black + (gray * (white - black)) / 255);
  };
  const slices = Array.from({ length: rows }, (_, row) => sliceOf(row, columns, rows, sample));
  const sets = [videoSet(), sequenceSet(codedSide ?? columns * block, codedSide ?? rows * block), pictureSet()];
  return container(sets, Buffer.concat(slices.map(withLength)), columns * block, rows * block);
}

const nalType = { idr: 19, video: 32, sequence: 33, picture: 34 } as const;

class BitWriter {
  readonly #bytes: number[] = [];
  #open = 0;
  #count = 0;

  bits(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) this.bit(Math.floor(value / 2 ** bit) & 1);
  }

  bit(value: number): void {
    this.#open = (this.#open << 1) | value;
    if (++this.#count < 8) return;
    this.#bytes.push(this.#open);
    [this.#open, this.#count] = [0, 0];
  }

  /** Writes non-negative integers in Exp-Golomb code. */
  golomb(...values: number[]): void {
    for (const value of values) {
      const length = 32 - Math.clz32(value + 1);
      this.bits(value + 1, 2 * length - 1);
    }
  }

  align(): void {
    while (this.#count > 0) this.bit(0);
  }

  /** Writes a 1 bit, and then 0 bits up to the end of the byte. */
  end(): void {
    this.bit(1);
    this.align();
  }

  /**
   * Returns a unit of the video stream. Its bytes are escaped, so that no three consecutive bytes
   * look like the start of another unit.
   */
  unit(type: number): Buffer {
    const unit = [type << 1, 1];
    let zeros = 0;
    for (const byte of this.#bytes) {
      if (zeros >= 2 && byte <= 3) {
        unit.push(3);
        zeros = 0;
      }
      unit.push(byte);
      zeros = byte === 0 ? zeros + 1 : 0;
    }
    return Buffer.from(unit);
  }
}

function profile(writer: BitWriter): void {
  writer.bits(1, 8);
  writer.bits(0x60000000, 32);
  writer.bits(0b1001, 4);
  writer.bits(0, 44);
  writer.bits(level, 8);
}

const level = 120;

function videoSet(): Buffer {
  const writer = new BitWriter();
  writer.bits(0b0000_11_000000_000_1, 16);
  writer.bits(0xffff, 16);
  profile(writer);
  writer.bit(1);
  writer.golomb(0, 0, 0);
  writer.bits(0, 6);
  writer.golomb(0);
  writer.bits(0, 2);
  writer.end();
  return writer.unit(nalType.video);
}

function sequenceSet(width: number, height: number): Buffer {
  const writer = new BitWriter();
  writer.bits(0b0000_000_1, 8);
  profile(writer);
  writer.golomb(0, 1, width, height);
  writer.bit(0);
  writer.golomb(0, 0, 4);
  writer.bit(1);
  writer.golomb(0, 0, 0);
  // All coding blocks are 32×32 pixels. Transform blocks are 4×4 to 32×32.
  writer.golomb(2, 0, 0, 3, 0, 0);
  writer.bits(0b000_1, 4);
  // Samples have 8 bits, and PCM blocks are 32×32 pixels.
  writer.bits(0x77, 8);
  writer.golomb(2, 0);
  writer.bit(1);
  writer.golomb(0);
  writer.bits(0, 5);
  writer.end();
  return writer.unit(nalType.sequence);
}

function pictureSet(): Buffer {
  const writer = new BitWriter();
  writer.golomb(0, 0);
  writer.bits(0, 7);
  writer.golomb(0, 0, 0);
  writer.bits(0, 3);
  writer.golomb(0, 0);
  writer.bits(0, 7);
  // The edges between blocks are not filtered.
  writer.bits(0b1_0_1, 3);
  writer.bits(0, 2);
  writer.golomb(0);
  writer.bits(0, 2);
  writer.end();
  return writer.unit(nalType.picture);
}

function sliceOf(row: number, columns: number, rows: number, sample: (x: number, y: number) => number): Buffer {
  const writer = new BitWriter();
  writer.bit(row === 0 ? 1 : 0);
  writer.bit(0);
  writer.golomb(0);
  if (row > 0) writer.bits(row * columns, Math.ceil(Math.log2(columns * rows)));
  writer.golomb(2, 0);
  writer.end();
  for (let column = 0; column < columns; column++) {
    const coder = new ArithmeticCoder(writer);
    if (column > 0) coder.terminate(false);
    coder.usualBin(column);
    coder.terminate(true);
    for (let at = 0; at < block * block; at++) {
      writer.bits(sample(column * block + (at % block), row * block + Math.floor(at / block)), 8);
    }
    for (let at = 0; at < (block * block) / 2; at++) writer.bits(neutralChroma, 8);
  }
  new ArithmeticCoder(writer).terminate(true);
  return writer.unit(nalType.idr);
}

/**
 * Width of the subrange of the less probable symbol, if the coder's whole range is almost 512. The
 * index is the number of more probable symbols that were encoded before.
 */
const unlikelyRanges = [
  ...[240, 227, 216, 205, 195, 185, 175, 166, 158, 150, 142, 135, 128, 122, 116, 110],
  ...[104, 99, 94, 89, 85, 80, 76, 72, 69, 65, 62, 59, 56, 53, 50, 48],
];

/**
 * The part of an arithmetic encoder (CABAC) that is needed here. The encoder restarts after the
 * samples of each block.
 */
class ArithmeticCoder {
  readonly #writer: BitWriter;
  #low = 0;
  #range = 510;
  #outstanding = 0;
  #isFirst = true;

  constructor(writer: BitWriter) {
    this.#writer = writer;
  }

  /**
   * Encodes that a block is not split. `before` is the number of blocks before it, none of which
   * was split.
   */
  usualBin(before: number): void {
    this.#range -= unlikelyRanges[before] ?? 0;
    this.#renormalize();
  }

  terminate(isEnd: boolean): void {
    this.#range -= 2;
    if (isEnd) {
      this.#low += this.#range;
      this.#range = 2;
    }
    this.#renormalize();
    if (!isEnd) return;
    this.#put((this.#low >> 9) & 1);
    this.#writer.bits(((this.#low >> 7) & 3) | 1, 2);
    this.#writer.align();
  }

  #renormalize(): void {
    while (this.#range < 256) {
      if (this.#low < 256) this.#put(0);
      else if (this.#low >= 512) {
        this.#low -= 512;
        this.#put(1);
      } else {
        this.#low -= 256;
        this.#outstanding++;
      }
      this.#range <<= 1;
      this.#low <<= 1;
    }
  }

  #put(bit: number): void {
    if (this.#isFirst) this.#isFirst = false;
    else this.#writer.bit(bit);
    for (; this.#outstanding > 0; this.#outstanding--) this.#writer.bit(1 - bit);
  }
}

const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const withLength = (unit: Buffer): Buffer => Buffer.concat([number(unit.length, 4), unit]);

const box = (type: string, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), ...parts]);
  return Buffer.concat([number(body.length + 4, 4), body]);
};

const fullBox = (type: string, ...parts: Uint8Array[]): Buffer => box(type, number(0, 4), ...parts);

function container(sets: readonly Buffer[], stream: Buffer, width: number, height: number): Uint8Array {
  const type = box("ftyp", Buffer.from("heic\0\0\0\0mif1heic", "latin1"));
  const configuration = Buffer.concat([
    ...[number(1, 1), number(1, 1), number(0x60000000, 4), number(0x900000000000, 6), number(level, 1)],
    ...[number(0xf000, 2), number(0xfc, 1), number(0xfd, 1), number(0xf8, 1), number(0xf8, 1), number(0, 2)],
    ...[number(0x0f, 1), number(sets.length, 1)],
    ...sets.flatMap((set) => [number(0x80 | ((set[0] ?? 0) >> 1), 1), number(1, 2), number(set.length, 2), set]),
  ]);
  const properties = box(
    "iprp",
    box("ipco", box("hvcC", configuration), fullBox("ispe", number(width, 4), number(height, 4))),
    fullBox("ipma", number(1, 4), number(1, 2), number(2, 1), number(0x81, 1), number(2, 1)),
  );
  const entry = box("infe", number(0x02000000, 4), number(1, 2), number(0, 2), Buffer.from("hvc1\0", "latin1"));
  const metaAt = (offset: number): Buffer =>
    fullBox(
      "meta",
      fullBox("hdlr", number(0, 4), Buffer.from("pict", "latin1"), Buffer.alloc(13)),
      fullBox("pitm", number(1, 2)),
      fullBox("iinf", number(1, 2), entry),
      properties,
      fullBox("iloc", ...locationOf(offset, stream.length)),
    );
  const start = type.length + metaAt(0).length + 8;
  return Buffer.concat([type, metaAt(start), box("mdat", stream)]);
}

/**
 * Returns the item locations of the file: there is one item, it has one extent, and offsets and
 * lengths take four bytes each.
 */
const locationOf = (offset: number, length: number): Buffer[] => [
  ...[number(0x4400, 2), number(1, 2), number(1, 2), number(0, 2), number(1, 2), number(offset, 4), number(length, 4)],
];
