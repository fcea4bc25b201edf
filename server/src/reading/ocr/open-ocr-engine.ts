/** Opens the OCR engine that the settings name. */
import type { OcrSettings } from "../reader.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { loadTesseract } from "./tesseract-core.ts";
import { TesseractProgram } from "./tesseract-program.ts";

export async function openOcrEngine({ languages, program }: OcrSettings): Promise<OcrEngine> {
  return program === undefined ? loadTesseract(languages) : new TesseractProgram(program, languages);
}
