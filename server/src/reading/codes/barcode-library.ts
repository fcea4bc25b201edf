/**
 * Runs the library ZXing-C++ as WebAssembly inside this process, where it needs no files, threads
 * or network. The functions of the WebAssembly module are called directly, because the JavaScript
 * functions of the package take colour pixels and never free the results.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { prepareZXingModule } from "zxing-wasm/reader";
import type { GrayImage } from "../pixels/gray-image.ts";

/** A code that the library has read. */
export interface RawCode {
  /** Name of the symbology, as the library writes it. */
  format: string;
  /** The payload. In GS1 data, the application identifiers are in parentheses. */
  text: string;
  /** True if the payload is binary data, not text. */
  binary: boolean;
  /** The top left, top right, bottom right and bottom left corner of the code, in pixels. */
  corners: readonly Point[];
}

interface Point {
  x: number;
  y: number;
}

export interface SearchOptions {
  /** Names of the symbologies to search for. */
  formats: readonly string[];
  /** True if the image is also searched at a third and at a ninth of its size. */
  smaller: boolean;
  /** Maximum number of codes. The library itself stops at 255. */
  most: number;
}

export interface BarcodeLibrary {
  /**
   * Returns the codes of an image. The same image always gives the same result.
   * @throws if the library fails. This instance must not be used again after that.
   */
  read(image: GrayImage, options: SearchOptions): RawCode[];
}

type LibraryModule = Awaited<ReturnType<typeof prepareReader>>;

/** Loads a new instance of the library with its own memory, which takes about 25 ms. */
export async function loadBarcodeLibrary(): Promise<BarcodeLibrary> {
  const path = fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  return new ZxingLibrary(await prepareReader(await readFile(path)));
}

/** Prepares the module with the bytes of its WebAssembly file, which it would otherwise fetch. */
function prepareReader(wasmBinary: Uint8Array) {
  const silent = () => {};
  const overrides = { wasmBinary: wasmBinary.slice().buffer, print: silent, printErr: silent };
  return prepareZXingModule({ overrides, equalityFn: () => false, fireImmediately: true });
}

/** Options of the library, as indices into its enumerations. */
const [localAverage, ignoreAddOn, humanReadable, anyCharacterSet] = [0, 0, 2, 0];
/**
 * The library's content types that are text: plain text, GS1 data, and ISO 15434 messages. All
 * other content types count as binary data.
 */
const textContents: ReadonlySet<number> = new Set([0, 3, 4]);

class ZxingLibrary implements BarcodeLibrary {
  readonly #module: LibraryModule;

  constructor(module: LibraryModule) {
    this.#module = module;
  }

  read({ width, height, pixels }: GrayImage, { formats, smaller, most }: SearchOptions): RawCode[] {
    const at = this.#module._malloc(pixels.length);
    if (at === 0) throw new RangeError("out of memory");
    try {
      this.#module.HEAPU8.set(pixels, at);
      const found = this.#module.readBarcodesFromPixmap(at, width, height, optionsOf(formats, smaller, most));
      try {
        return Array.from({ length: found.size() }, (_, index) => found.get(index)).flatMap(rawCodeOf);
      } finally {
        // The type declarations of the package omit this method, which all objects of the library
        // have.
        (found as unknown as { delete(): void }).delete();
      }
    } finally {
      this.#module._free(at);
    }
  }
}

type LibraryOptions = Parameters<LibraryModule["readBarcodesFromPixmap"]>[3];
type LibraryResult = ReturnType<ReturnType<LibraryModule["readBarcodesFromPixmap"]>["get"]>;

const optionsOf = (formats: readonly string[], smaller: boolean, most: number): LibraryOptions => ({
  ...{ formats: formats.join(","), maxNumberOfSymbols: most },
  ...{ tryHarder: true, tryRotate: true, tryInvert: false, tryDenoise: false, isPure: false },
  ...{ tryDownscale: smaller, downscaleFactor: 3, downscaleThreshold: 500, minLineCount: 2 },
  ...{ validateOptionalChecksum: false, returnErrors: false, tryCode39ExtendedMode: true },
  ...{ binarizer: localAverage, eanAddOnSymbol: ignoreAddOn, textMode: humanReadable, characterSet: anyCharacterSet },
});

function rawCodeOf(result: LibraryResult): RawCode[] {
  if (result === undefined) return [];
  const { format, text, contentType, position } = result;
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  const corners = [topLeft, topRight, bottomRight, bottomLeft].map(({ x, y }) => ({ x, y }));
  return [{ format, text, binary: !textContents.has(contentType), corners }];
}
