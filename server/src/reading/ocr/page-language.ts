/**
 * Determines whether a page is in a language whose letters the first reading may lack. Reading with
 * all languages at once would take several times as long. So the first reading uses only the most
 * frequent languages, and a page in another language is read a second time.
 */
import type { Languages, OcrWord } from "./ocr-engine.ts";
import { isPoor } from "./reading-quality.ts";

/** Models that are installed but not used for the first reading, by ISO 639-1 code. */
const furtherModels: Readonly<Record<string, string>> = { es: "spa", it: "ita", nl: "nld", pt: "por", pl: "pol" };

/**
 * Minimum and maximum number of characters that the language is detected from. Chosen by hand,
 * 2026-11.
 */
const [minCharacters, maxCharacters] = [100, 1500];
/**
 * Matches the words from which the language is detected. Numbers and codes are left out, because
 * they do not depend on the language.
 */
const isWord = /^\p{L}[\p{L}'’.,:;-]+$/u;

/**
 * Returns the languages for a second reading of the page. Returns undefined if the page is in one
 * of the languages of the first reading, or if its language is not certain.
 * @param first the languages of the first reading
 */
export async function furtherLanguages(words: readonly OcrWord[], first: Languages): Promise<Languages | undefined> {
  if (isPoor(words)) return undefined;
  const text = words.flatMap((word) => (isWord.test(word.text) ? [word.text] : [])).join(" ");
  if (text.length < minCharacters) return undefined;
  // The code in the folder `language/` also detects languages with this library, but reading
  // processes can't read that folder. The library's data are loaded only when a page needs them,
  // because most processes never read scans.
  const { eld } = await import("eld/extrasmall");
  const detected = eld.detect(text.slice(0, maxCharacters));
  const model = detected.isReliable() ? furtherModels[detected.language] : undefined;
  return model === undefined || first.includes(model) ? undefined : [model];
}
