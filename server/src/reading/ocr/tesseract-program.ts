/**
 * Runs the installed program `tesseract`. It is faster than the built-in engine and uses the
 * language models that are installed on the machine.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
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

export class TesseractProgram implements OcrEngine {
  readonly #path: string;
  readonly #languages: Languages;

  constructor(path: string, languages: Languages) {
    this.#path = path;
    this.#languages = languages;
  }

  async readWords(image: GrayImage, segmentation: Segmentation): Promise<OcrWord[]> {
    const child = spawn(
      this.#path,
      [
        ...["stdin", "stdout", "-l", this.#languages.join("+"), "--oem", "1"],
        // The usual way to ask for the word table is the configuration file `tsv`, but a folder of
        // models may not contain it. The variable works without the file.
        ...["--psm", String(pageSegmentationModes[segmentation]), "-c", "tessedit_create_tsv=1"],
        ...Object.entries(engineVariables).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      // With multithreading, Tesseract becomes 25 times slower as soon as two instances run at the
      // same time.
      { env: { OMP_THREAD_LIMIT: "1" }, stdio: ["pipe", "pipe", "ignore"] },
    );
    const end = () => child.kill("SIGKILL");
    process.once("exit", end);
    try {
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on("error", reject);
        child.on("close", resolve);
      });
      child.stdin.on("error", () => {});
      child.stdin.end(pgmOf(image));
      const [code, tsv] = await Promise.all([ended, text(child.stdout)]);
      if (code !== 0) throw new Error(`${this.#path} exited with code ${code}`);
      return wordsOfTsv(tsv);
    } finally {
      process.off("exit", end);
    }
  }
}
