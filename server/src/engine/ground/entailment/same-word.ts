/** Checks whether two words are forms of the same word and have the same meaning. */
import { stemOfWord } from "../../../language/stemming.ts";
import type { ClauseWord } from "./clause-words.ts";
import { grammars, type JudgedLanguage } from "./grammar.ts";

/**
 * Inflectional endings of German nouns. Endings that form a noun for a person are excluded:
 * "Käufer" is a different word from "Kauf".
 */
const nounEndings = new Set(["", "e", "en", "n", "es", "s", "ns"]);

export function isSameWord(a: ClauseWord, b: ClauseWord, language: JudgedLanguage): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind !== "word") return a.key === b.key && sameMarks(a.text, b.text);
  if (a.text === b.text) return true;
  // An accent at the end changes the tense: "pagó" and "pago" are different words.
  if (a.key === b.key) return accentOfEnd(a.text) === accentOfEnd(b.text) || a.key !== foldedText(a.text);
  const isName = a.capital && b.capital && language !== "de";
  if (isName) return a.key === `${b.key}s` || b.key === `${a.key}s`;
  if (stemOfWord(a.text, language) !== stemOfWord(b.text, language)) return false;
  const shared = sharedStart(a.text, b.text);
  const endings = language === "de" && a.capital ? nounEndings : grammars[language].endings;
  return endings.has(a.text.slice(shared)) && endings.has(b.text.slice(shared));
}

/**
 * Returns true if the separators of two numbers agree. "1.234" and "1,234" may differ by a factor
 * of 1,000. "1234" can equal either.
 */
function sameMarks(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => text.replace(/[^.,'’]/g, ""));
  return first === second || first === "" || second === "";
}

const foldedText = (text: string): string => text.normalize("NFKD").replace(/\p{M}+/gu, "");
const accentOfEnd = (text: string): boolean => /[áéíóúàèìòù]$/u.test(text);

export function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** Irregular past forms and participles in English, each with its infinitive. */
const irregular = new Map(
  "made/make wrote/write written/write built/build sent/send sold/sell bought/buy gave/give given/give took/take taken/take held/hold led/lead won/win chose/choose chosen/choose found/find lost/lose paid/pay drew/draw drawn/draw broke/break broken/break stole/steal stolen/steal told/tell taught/teach drove/drive driven/drive spoke/speak spoken/speak kept/keep left/leave met/meet read/read ran/run run/run saw/see seen/see"
    .split(" ")
    .map((pair) => pair.split("/") as [string, string]),
);
export const isIrregularPast = (text: string): boolean => irregular.has(text);

/**
 * Minimum length of the common beginning of two verb stems, as a share of the longer stem. Chosen
 * by hand, 2026-11.
 */
const minSharedStart = 0.7;

/** Returns true if the verbs of a passive and of an active sentence have the same stem. */
export function isSameVerb(a: ClauseWord, b: ClauseWord, language: JudgedLanguage): boolean {
  const [first, second] = [verbStem(a, language), verbStem(b, language)];
  if (first === second) return true;
  const shared = sharedStart(first, second);
  return language !== "en" && shared >= 4 && shared >= minSharedStart * Math.max(first.length, second.length);
}

function verbStem({ key, text }: ClauseWord, language: JudgedLanguage): string {
  if (language === "en") return stemOfWord(irregular.get(text) ?? text, language);
  if (language === "de" || language === "nl") {
    const bare = /^ge(\p{L}{3,}?)(?:e?t|en|e?d)$/u.exec(key)?.[1];
    return bare ?? key.replace(/(?:e?te[nt]?|e?de[n]?|e?t|en)$/u, "");
  }
  return stemOfWord(text, language);
}
