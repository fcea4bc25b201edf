/**
 * Computes the scalar products of a vector with many rows of integers. WebAssembly SIMD does this
 * with eight multiplications per instruction. The WebAssembly code is assembled here when it is
 * first used, so that nothing has to be built at installation. Without SIMD, a loop in JavaScript
 * is used. SIMD and the loop both compute exact sums, so their results are identical.
 */
import { meaningDimensions as dimensions } from "./meaning-features.ts";

/**
 * Function that returns the scalar product of the vector with each row. The array that it returns
 * is overwritten by the next call.
 */
export type RowProducts = (vector: Int16Array) => Int32Array;

/** @param rows rows of 128 numbers each, concatenated */
export function rowProducts(rows: Int8Array): RowProducts {
  try {
    return productsBySimd(rows);
  } catch {
    // SIMD cannot be used: the processor lacks SSE 4.1, WebAssembly is disabled, or the address
    // space is too small.
    return productsByLoop(rows);
  }
}

export function productsByLoop(rows: Int8Array): RowProducts {
  const products = new Int32Array(rows.length / dimensions);
  return (vector) => {
    for (let row = 0; row < products.length; row++) {
      let sum = 0;
      for (let at = 0, from = row * dimensions; at < dimensions; at++)
        sum += (vector[at] as number) * (rows[from + at] as number);
      products[row] = sum;
    }
    return products;
  };
}

const pageBytes = 65_536;
/** Sizes, in bytes, of an entry of the vector and of a product. */
const [entryBytes, productBytes] = [2, 4];
/**
 * Size of the vector, in bytes. The vector is stored at address 0, followed by the rows and then by
 * the products.
 */
const vectorBytes = dimensions * entryBytes;
/** Number of entries that one instruction multiplies. */
const lanes = 8;
/**
 * Number of rows that one iteration of the loop handles. The sums of these rows are independent, so
 * the processor need not wait for one instruction to finish before it starts another.
 */
const rowsPerTurn = 4;

/** The types of WebAssembly that are used here. Node's type declarations lack them. */
interface WithWebAssembly {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object) => { exports: Exports };
  };
}

interface Exports {
  memory: { buffer: ArrayBuffer };
  multiply: (row: number, end: number, product: number) => void;
}

const modules = new Map<number, object>();

/** Returns a module for this number of memory pages. Each module is compiled only once. */
function compiled(pages: number): object {
  const { WebAssembly } = globalThis as unknown as WithWebAssembly;
  const module = modules.get(pages) ?? new WebAssembly.Module(moduleBytes(pages));
  modules.set(pages, module);
  return module;
}

export function productsBySimd(rows: Int8Array): RowProducts {
  const count = rows.length / dimensions;
  const padded = Math.ceil(count / rowsPerTurn) * rowsPerTurn;
  const productsAt = vectorBytes + padded * dimensions;
  const pages = Math.ceil((productsAt + padded * productBytes) / pageBytes);
  const { WebAssembly } = globalThis as unknown as WithWebAssembly;
  const { multiply, memory } = new WebAssembly.Instance(compiled(pages)).exports;
  const { buffer } = memory;
  const own = new Int16Array(buffer, 0, dimensions);
  new Int8Array(buffer, vectorBytes, rows.length).set(rows);
  const products = new Int32Array(buffer, productsAt, count);
  return (vector) => {
    own.set(vector);
    if (count > 0) multiply(vectorBytes, productsAt, productsAt);
    return products;
  };
}

/** Encodes a SIMD instruction, which begins with a prefix byte. */
const simd = (code: number): number[] => [0xfd, ...unsigned(code)];
/** Instructions by their names in the WebAssembly specification. */
const op = {
  loop: [0x03, 0x40],
  branchIf: [0x0d, 0],
  end: [0x0b],
  getLocal: (index: number) => [0x20, index],
  setLocal: (index: number) => [0x21, index],
  teeLocal: (index: number) => [0x22, index],
  i32Const: (value: number) => [0x41, ...signed(value)],
  i32LessUnsigned: [0x49],
  i32Add: [0x6a],
  i32Store: (offset: number) => [0x36, 2, ...unsigned(offset)],
  v128Load: (offset: number) => [...simd(0x00), 4, ...unsigned(offset)],
  v128Load8x8Signed: (offset: number) => [...simd(0x01), 3, ...unsigned(offset)],
  v128Zero: [...simd(0x0c), ...new Array<number>(16).fill(0)],
  i32x4ExtractLane: (lane: number) => [...simd(0x1b), lane],
  i32x4Add: simd(0xae),
  i32x4DotI16x8Signed: simd(0xba),
};

/**
 * Parameters of the function: the address of the first row, the address after the last row, and the
 * address of the first product.
 */
const [rowAt, rowsEnd, productAt] = [0, 1, 2] as const;
const [i32, v128] = [0x7f, 0x7b];
/**
 * Returns the index of the WebAssembly local that accumulates the sum of a row. The local is a
 * vector of four lanes, which must be added to get the sum.
 */
const sumOf = (row: number): number => productAt + 1 + row;
const factors = sumOf(rowsPerTurn);

function multiplyCode(): number[] {
  const turn = Array.from({ length: rowsPerTurn }, (_, row) => row);
  const zero = turn.flatMap((row) => [...op.v128Zero, ...op.setLocal(sumOf(row))]);
  const sums = Array.from({ length: dimensions / lanes }, (_, block) => [
    ...[...op.i32Const(0), ...op.v128Load(block * lanes * entryBytes), ...op.setLocal(factors)],
    ...turn.flatMap((row) => {
      const values = [...op.getLocal(rowAt), ...op.v128Load8x8Signed(row * dimensions + block * lanes)];
      const product = [...op.getLocal(factors), ...values, ...op.i32x4DotI16x8Signed];
      return [...op.getLocal(sumOf(row)), ...product, ...op.i32x4Add, ...op.setLocal(sumOf(row))];
    }),
  ]).flat();
  const lane = (row: number, at: number): number[] => [...op.getLocal(sumOf(row)), ...op.i32x4ExtractLane(at)];
  const store = turn.flatMap((row) => [
    ...[...op.getLocal(productAt), ...lane(row, 0), ...lane(row, 1), ...op.i32Add, ...lane(row, 2), ...op.i32Add],
    ...[...lane(row, 3), ...op.i32Add, ...op.i32Store(row * productBytes)],
  ]);
  const advance = (local: number, bytes: number): number[] => [
    ...op.getLocal(local),
    ...op.i32Const(rowsPerTurn * bytes),
    ...op.i32Add,
  ];
  const next = [
    ...[...advance(productAt, productBytes), ...op.setLocal(productAt)],
    ...[...advance(rowAt, dimensions), ...op.teeLocal(rowAt)],
    ...[...op.getLocal(rowsEnd), ...op.i32LessUnsigned, ...op.branchIf],
  ];
  const locals = [1, rowsPerTurn + 1, v128];
  return [...locals, ...op.loop, ...zero, ...sums, ...store, ...next, ...op.end, ...op.end];
}

/** Returns the bytes of a module that exports its memory and the function `multiply`. */
function moduleBytes(pages: number): Uint8Array<ArrayBuffer> {
  const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
  const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const type = section(1, [1, 0x60, 3, i32, i32, i32, 0]);
  const functions = section(3, [1, 0]);
  const memory = section(5, [1, 0, ...unsigned(pages)]);
  const [asMemory, asFunction] = [2, 0];
  const exported = section(7, [
    2,
    ...sized(bytesOf("memory")),
    asMemory,
    0,
    ...sized(bytesOf("multiply")),
    asFunction,
    0,
  ]);
  const code = section(10, [1, ...sized(multiplyCode())]);
  return Uint8Array.from([...header, ...type, ...functions, ...memory, ...exported, ...code]);
}

const bytesOf = (name: string): number[] => [...Buffer.from(name)];
const sized = (content: readonly number[]): number[] => [...unsigned(content.length), ...content];

/** Encodes a number as unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/**
 * Encodes a number, which must not be negative, as signed LEB128. Bit 6 (0x40) of the last byte is
 * the sign, so it must be 0.
 */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
