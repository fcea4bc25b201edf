/**
 * Runs Tesseract as WebAssembly inside this process, where it needs no files, threads or network.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { type GrayImage, pgmOf } from "../pixels/gray-image.ts";
import {
  engineVariables,
  type Languages,
  type OcrEngine,
  type OcrWord,
  pageSegmentationModes,
  type Segmentation,
} from "./ocr-engine.ts";
import { wordsOfTsv } from "./tsv.ts";

interface TesseractModule {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  TessBaseAPI: new () => TesseractApi;
}

interface TesseractApi {
  /** Loads the language models. Returns 0 on success. Mode 1 uses only the neural network. */
  Init(dataPath: null, languages: string, mode: 1): number;
  SetVariable(name: string, value: string): void;
  /** Reads the image in the file `/input`. Returns 0 on success. */
  SetImageFile(exifOrientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetTSVText(): string;
  Clear(): void;
}

type TesseractLoader = (options: {
  wasmBinary: Uint8Array;
  print(): void;
  printErr(): void;
}) => Promise<TesseractModule>;

/**
 * The build that uses vector instructions. Every processor made since 2013 has them, and Node
 * always supports them.
 */
const build = "tesseract.js-core/tesseract-core-relaxedsimd-lstm";

/** Loads the engine, which takes about 0.3 s. Rejects if a language is not installed. */
export async function loadTesseract(languages: Languages): Promise<OcrEngine> {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve(`${build}.wasm`)));
  const load = createRequire(import.meta.url)(build) as TesseractLoader;
  const silent = () => {};
  const module = await load({ wasmBinary, print: silent, printErr: silent });
  for (const language of languages) module.FS.writeFile(`./${language}.traineddata`, await modelOf(language));
  const api = new module.TessBaseAPI();
  if (api.Init(null, languages.join("+"), 1) !== 0) throw new Error(`no OCR model for ${languages.join(", ")}`);
  for (const [name, value] of Object.entries(engineVariables)) api.SetVariable(name, value);
  return new TesseractCore(module, api);
}

async function modelOf(language: string): Promise<Uint8Array> {
  const path = import.meta.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`);
  return gunzipSync(await readFile(fileURLToPath(path)));
}

class TesseractCore implements OcrEngine {
  readonly #module: TesseractModule;
  readonly #api: TesseractApi;

  constructor(module: TesseractModule, api: TesseractApi) {
    this.#module = module;
    this.#api = api;
  }

  async readWords(image: GrayImage, segmentation: Segmentation): Promise<OcrWord[]> {
    this.#module.FS.writeFile("/input", pgmOf(image));
    this.#api.SetVariable("tessedit_pageseg_mode", String(pageSegmentationModes[segmentation]));
    if (this.#api.SetImageFile(1, 0) !== 0) throw new Error("the OCR engine did not accept the image");
    const done = this.#api.Recognize(null) === 0;
    const words = done ? wordsOfTsv(this.#api.GetTSVText()) : [];
    this.#api.Clear();
    return words;
  }
}
