/** The engine that the settings ask for. */
import type { RecognitionSettings } from "../reader.ts";
import type { RecognitionEngine } from "./engine.ts";
import { loadTesseract } from "./tesseract-core.ts";

export function openEngine({ languages }: RecognitionSettings): Promise<RecognitionEngine> {
  return loadTesseract(languages);
}
