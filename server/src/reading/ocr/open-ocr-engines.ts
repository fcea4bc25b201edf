/** Opens the OCR engines that the settings name. */
import type { OcrSettings } from "../reader.ts";
import { loadLineRecognizer } from "./line-recognizer.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { furtherLanguages } from "./page-language.ts";
import type { OcrEngines } from "./strategy.ts";
import { loadTesseract } from "./tesseract-core.ts";
import { TesseractProgram } from "./tesseract-program.ts";

export function openOcrEngines({ languages, program, onlyTesseract }: OcrSettings): OcrEngines {
  const first = once(async () =>
    program === undefined ? loadTesseract(languages) : new TesseractProgram(program, languages),
  );
  // A process has enough memory for only one additional engine, so only the most recent one is
  // kept.
  let further: { languages: string; engine: Promise<OcrEngine> } | undefined;
  return {
    engine: first,
    // An external program is used only with the languages in the settings, because other languages
    // may not be installed.
    engineFor: async (words) => {
      const found = program === undefined ? await furtherLanguages(words, languages) : undefined;
      if (found === undefined) return undefined;
      const name = found.join("+");
      if (further?.languages !== name) further = { languages: name, engine: loadTesseract(found) };
      return further.engine;
    },
    lines: once(async () => (onlyTesseract ? undefined : loadLineRecognizer())),
  };
}

/** Returns a function that calls `make` the first time and returns the same value every time. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
