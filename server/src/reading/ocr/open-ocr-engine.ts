/** The engine that the settings ask for. */
import type { RecognitionSettings } from "../reader.ts";
import type { RecognitionEngine } from "./ocr-engine.ts";
import { loadTesseract } from "./tesseract-core.ts";
import { TesseractProgram } from "./tesseract-program.ts";

export async function openEngine({ languages, program }: RecognitionSettings): Promise<RecognitionEngine> {
  return program === undefined ? loadTesseract(languages) : new TesseractProgram(program, languages);
}
