/**
 * Scalar products of a vector with many rows, computed by WebAssembly SIMD: three times as fast as
 * a loop in JavaScript. The code is assembled here, at first use, so that nothing is built at
 * install. Where SIMD is unavailable the loop runs; both give the same bits.
 */
import { meaningDimensions as dimensions } from "./meaning-features.ts";

/** Returns the scalar product of the vector with each row; the array is reused by the next call. */
export type RowProducts = (vector: Float32Array) => Float64Array;

/** @param rows concatenated, of 128 numbers each */
export function rowProducts(rows: Float32Array): RowProducts {
  try {
    return productsBySimd(rows);
  } catch {
    // A processor without SSE 4.1, a process without WebAssembly, or too little address space.
    return productsByLoop(rows);
  }
}

/** Sums in four parts, which is a third faster than in one. */
export function productsByLoop(rows: Float32Array): RowProducts {
  const products = new Float64Array(rows.length / dimensions);
  return (vector) => {
    for (let row = 0; row < products.length; row++) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let at = 0, from = row * dimensions; at < dimensions; at += 4) {
        a += (vector[at] as number) * (rows[from + at] as number);
        b += (vector[at + 1] as number) * (rows[from + at + 1] as number);
        c += (vector[at + 2] as number) * (rows[from + at + 2] as number);
        d += (vector[at + 3] as number) * (rows[from + at + 3] as number);
      }
      products[row] = a + b + c + d;
    }
    return products;
  };
}

const pageBytes = 65_536;
const [floatBytes, doubleBytes] = [4, 8];
/** Bytes of the vector, at address 0, as doubles. The rows follow it as floats, then the products. */
const vectorBytes = dimensions * doubleBytes;
/** Rows per turn of the loop: enough independent sums to hide the latency of an addition. */
const rowsPerTurn = 4;

/** Node's types do not include WebAssembly. */
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

/** Compiles once for all rows of one size, which takes some milliseconds. */
function compiled(pages: number): object {
  const { WebAssembly } = globalThis as unknown as WithWebAssembly;
  const module = modules.get(pages) ?? new WebAssembly.Module(moduleBytes(pages));
  modules.set(pages, module);
  return module;
}

export function productsBySimd(rows: Float32Array): RowProducts {
  const count = rows.length / dimensions;
  const padded = Math.ceil(count / rowsPerTurn) * rowsPerTurn;
  const productsAt = vectorBytes + padded * dimensions * floatBytes;
  const pages = Math.ceil((productsAt + padded * doubleBytes) / pageBytes);
  const { WebAssembly } = globalThis as unknown as WithWebAssembly;
  const { multiply, memory } = new WebAssembly.Instance(compiled(pages)).exports;
  const { buffer } = memory;
  const own = new Float64Array(buffer, 0, dimensions);
  new Float32Array(buffer, vectorBytes, rows.length).set(rows);
  const products = new Float64Array(buffer, productsAt, count);
  return (vector) => {
    own.set(vector);
    if (count > 0) multiply(vectorBytes, productsAt, productsAt);
    return products;
  };
}

/** Instructions by their names in the WebAssembly specification; those of SIMD have a prefix. */
const simd = (code: number): number[] => [0xfd, ...unsigned(code)];
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
  f64Add: [0xa0],
  f64Store: (offset: number) => [0x39, 3, ...unsigned(offset)],
  v128Load: (offset: number) => [...simd(0x00), 4, ...unsigned(offset)],
  v128Load64Zero: (offset: number) => [...simd(0x5d), 3, ...unsigned(offset)],
  v128Zero: [...simd(0x0c), ...new Array<number>(16).fill(0)],
  f64x2PromoteLowF32x4: simd(0x5f),
  f64x2ExtractLane: (lane: number) => [...simd(0x21), lane],
  f64x2Add: simd(0xf0),
  f64x2Mul: simd(0xf2),
};

/** Parameters of the function: addresses of a row, of the end of the rows, and of a product. */
const [rowAt, rowsEnd, productAt] = [0, 1, 2] as const;
const [i32, v128] = [0x7f, 0x7b];
/** The four sums of a row of the turn are two locals of two lanes each. */
const sumOf = (row: number, half: number): number => productAt + 1 + 2 * row + half;
const factors = sumOf(rowsPerTurn, 0);

/** Multiplies in the order of `productsByLoop`, so that the sums are the same to the last bit. */
function multiplyCode(): number[] {
  const turn = Array.from({ length: rowsPerTurn }, (_, row) => row);
  const halves = [0, 1];
  const zero = turn.flatMap((row) => halves.flatMap((half) => [...op.v128Zero, ...op.setLocal(sumOf(row, half))]));
  const sums = Array.from({ length: dimensions / 2 }, (_, pair) => [
    ...[...op.i32Const(0), ...op.v128Load(2 * pair * doubleBytes), ...op.setLocal(factors)],
    ...turn.flatMap((row) => {
      const sum = sumOf(row, pair % 2);
      const at = (row * dimensions + 2 * pair) * floatBytes;
      const values = [...op.getLocal(rowAt), ...op.v128Load64Zero(at), ...op.f64x2PromoteLowF32x4];
      const product = [...op.getLocal(factors), ...values, ...op.f64x2Mul];
      return [...op.getLocal(sum), ...product, ...op.f64x2Add, ...op.setLocal(sum)];
    }),
  ]).flat();
  const lane = (row: number, at: number): number[] => [
    ...op.getLocal(sumOf(row, at >> 1)),
    ...op.f64x2ExtractLane(at % 2),
  ];
  const store = turn.flatMap((row) => [
    ...[...op.getLocal(productAt), ...lane(row, 0), ...lane(row, 1), ...op.f64Add, ...lane(row, 2), ...op.f64Add],
    ...[...lane(row, 3), ...op.f64Add, ...op.f64Store(row * doubleBytes)],
  ]);
  const advance = (local: number, bytes: number): number[] => [
    ...op.getLocal(local),
    ...op.i32Const(rowsPerTurn * bytes),
    ...op.i32Add,
  ];
  const next = [
    ...[...advance(productAt, doubleBytes), ...op.setLocal(productAt)],
    ...[...advance(rowAt, dimensions * floatBytes), ...op.teeLocal(rowAt)],
    ...[...op.getLocal(rowsEnd), ...op.i32LessUnsigned, ...op.branchIf],
  ];
  const locals = [1, 2 * rowsPerTurn + 1, v128];
  return [...locals, ...op.loop, ...zero, ...sums, ...store, ...next, ...op.end, ...op.end];
}

/** Returns a module that exports its memory and the function `multiply`. */
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

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a number that is not negative: the top bit of the last byte is its sign. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
