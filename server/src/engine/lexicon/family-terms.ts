/**
 * Converts text to terms. Tokens are mapped to word families (words with the same meaning in all
 * languages), compounds are split, and unknown words are stemmed.
 */

import { cachedByText } from "../../language/cached-by-text.ts";
import { type LabelToken, labelTokensOf } from "../../language/label-tokens.ts";
import { stemOfLabel } from "../../language/stemming.ts";
import { itemAt } from "../../lib/item-at.ts";
import { commonFamilies, families, stopWords } from "./word-families.ts";

export interface LabelTerm {
  /**
   * Word families to which the term may belong. If its word is not in the lexicon, the stem of the
   * word.
   */
  texts: readonly string[];
  /**
   * Weight of the term when labels are compared. It is 0 for stop words and numbers, and reduced
   * for families that many labels share.
   */
  weight: number;
  /** True if the term starts a phrase, because it follows punctuation, a stop word or a number. */
  opens: boolean;
}

const maxPhraseWords = 5;
const minCompoundPart = 3;
const linkings = ["s", "es", "n", "en", "e", "er", ""];

const wordFamilies = new Map<string, string[]>();
const phraseFamilies = new Map<string, string>();
for (const [family, words] of Object.entries(families)) {
  for (const word of words.split(" ")) {
    if (word.includes("_")) phraseFamilies.set(word.replaceAll("_", " "), family);
    else for (const form of new Set([word, stemOfLabel(word)])) addForm(form, family);
  }
}
const phraseStarts = new Set([...phraseFamilies.keys()].map((phrase) => phrase.split(" ")[0]));

function addForm(form: string, family: string): void {
  const known = wordFamilies.get(form) ?? [];
  if (!known.includes(family)) wordFamilies.set(form, [...known, family]);
}

/** For each part of a word, the word families to which it may belong. */
type Parts = readonly (readonly string[])[];

/**
 * Prefix that marks a part of a compound that only qualifies the other part, such as `handels` in
 * `handelsrechnung`.
 */
const qualifierMark = "~";
/** Weight of a qualifying part, relative to the weight of a word. Chosen by hand, 2026-11. */
const qualifierWeight = 0.35;

/** Maximum number of entries in the cache of words, and in the cache of texts. */
const maxCached = 20_000;

/**
 * Returns the families of a folded word, or of the parts of a compound. If the lexicon contains
 * neither the word nor its parts, returns the stem of the word.
 */
const reduceWord = cachedByText(
  maxCached,
  (word): Parts => lookUp(word) ?? splitCompound(word) ?? plainUmlauts(word) ?? [[stemOfLabel(word)]],
);

/**
 * Replaces "ae", "oe" and "ue" by "a", "o" and "u". Names of fields are often typed without
 * umlauts: `wohnflaeche`, `gueltig_ab`.
 */
function plainUmlauts(word: string): Parts | undefined {
  const plain = word.replace(/([aou])e/g, "$1");
  return plain === word ? undefined : (lookUp(plain) ?? splitCompound(plain));
}

function lookUp(word: string): Parts | undefined {
  const found =
    wordFamilies.get(word) ??
    wordFamilies.get(stemOfLabel(word)) ??
    (word.length > 3
      ? (wordFamilies.get(word.replace(/(?:es|en|s|n|e)$/, "")) ?? wordFamilies.get(word.replace(/s$/, "")))
      : undefined);
  return found && [found];
}

/**
 * Splits a compound: `rechnungsnummer` becomes the families of invoice and number. An unknown first
 * part becomes its stem.
 */
function splitCompound(word: string, depth = 0): Parts | undefined {
  if (word.length < 2 * minCompoundPart + 1 || word.length > 40) return undefined;
  for (let cut = word.length - minCompoundPart; cut >= minCompoundPart; cut--) {
    const head = headOf(word.slice(0, cut));
    const tail = head && tailOf(word.slice(cut));
    if (head && tail) return [head, ...tail];
  }
  for (let cut = minCompoundPart; depth < 2 && cut <= word.length - 2 * minCompoundPart; cut++) {
    const head = headOf(word.slice(0, cut));
    const tail = head && word.length - cut >= 8 ? splitCompound(word.slice(cut), depth + 1) : undefined;
    if (head && tail) return [head, ...tail];
  }
  return depth === 0 ? splitUnknownHead(word) : undefined;
}

function splitUnknownHead(word: string): Parts | undefined {
  for (let cut = 4; cut <= word.length - 5; cut++) {
    // The last part must be in the lexicon exactly as written. If inflected forms were accepted, a
    // mere ending could be taken for a word, as in "abweich-ender".
    const tail = wordFamilies.has(word.slice(cut)) ? tailOf(word.slice(cut)) : undefined;
    if (tail) return [[qualifierMark + stemOfLabel(word.slice(0, cut).replace(/s$/, ""))], ...tail];
  }
  return undefined;
}

function tailOf(tail: string): Parts | undefined {
  const found = lookUp(tail);
  return found && (tail.length >= 4 || shortTails.some((family) => found[0]?.includes(family))) ? found : undefined;
}

/**
 * The last part of a compound usually has at least four letters. Words of these families may be
 * shorter, such as "nr", "tag" and "ort".
 */
const shortTails = ["number", "id", "date", "place"];

function headOf(head: string): readonly string[] | undefined {
  for (const linking of linkings) {
    if (!head.endsWith(linking)) continue;
    const base = head.slice(0, head.length - linking.length);
    const found = base.length >= minCompoundPart ? wordFamilies.get(base) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Returns true if the text is the name of a word family. */
export const isFamily = (text: string): boolean => Object.hasOwn(families, text);

/** Weight of a family that occurs in many labels, such as "number". Chosen by hand, 2026-11. */
const commonWeight = 0.5;

export const weightOf = (texts: readonly string[]): number =>
  texts.some((text) => commonFamilies.has(text)) ? commonWeight : 1;

/** Returns the terms of a label, a field name or a description, in order. */
export function toTerms(text: string): LabelTerm[] {
  return joinTaxWords(readTerms(text));
}

/**
 * Returns the word families of the significant words of a text. A word without a family is returned
 * as its stem.
 */
export const familiesIn = cachedByText(
  maxCached,
  (text): ReadonlySet<string> => new Set(toTerms(text).flatMap((term) => (term.weight >= 1 ? term.texts : []))),
);

/**
 * Joins a tax word with a word for "including" or "excluding" before or after it. Only stop words
 * and numbers may be between them. "incl. of GST" becomes gross, "excluding taxes" becomes net.
 */
function joinTaxWords(terms: LabelTerm[]): LabelTerm[] {
  if (!terms.some(({ texts }) => texts.includes("tax"))) return terms;
  const joined: LabelTerm[] = [];
  // Indices in `joined` of the last and the first term with a weight. They are kept because
  // searching them for every term would take quadratic time.
  let [last, first] = [-1, -1];
  for (const term of terms) {
    const before = joined[last];
    const pair = before && [before, term];
    const mark = pair?.find((one) => one.texts.includes("including") || one.texts.includes("excluding"));
    const tax = pair?.find((one) => one.texts.includes("tax"));
    if (before && mark && tax === before && last === first) {
      // "GST included: 0.17" states the tax itself, so "included" is dropped.
    } else if (before && mark && tax) {
      const texts = [mark.texts.includes("including") ? "gross" : "net"];
      joined[last] = { texts, weight: weightOf(texts), opens: before.opens };
    } else {
      joined.push(term);
      if (term.weight > 0) {
        last = joined.length - 1;
        if (first < 0) first = last;
      }
    }
  }
  return joined;
}

function readTerms(text: string): LabelTerm[] {
  const words = labelTokensOf(text);
  const terms: LabelTerm[] = [];
  let opens = true;
  for (let i = 0; i < words.length; ) {
    const word = itemAt(words, i);
    opens ||= word.parted;
    const phrase = phraseAt(words, i);
    if (phrase) {
      terms.push({ texts: [phrase.family], weight: weightOf([phrase.family]), opens });
      opens = false;
      i += phrase.length;
      continue;
    }
    i++;
    const quiet =
      stopWords.has(word.text) ||
      /^\p{N}/u.test(word.text) ||
      (word.text.length === 1 && !/[#№n\p{Lo}]/u.test(word.text));
    if (quiet) {
      terms.push({ texts: wordFamilies.get(word.text) ?? [word.text], weight: 0, opens });
      opens = true;
      continue;
    }
    for (const part of reduceWord(word.text)) {
      const qualifies = part[0]?.startsWith(qualifierMark);
      const texts = qualifies ? [(part[0] ?? "").slice(1)] : part;
      opens ||= texts.includes("until");
      terms.push({ texts, weight: qualifies ? qualifierWeight : weightOf(texts), opens });
      opens = false;
    }
  }
  return terms;
}

function phraseAt(words: readonly LabelToken[], at: number): { family: string; length: number } | undefined {
  if (!phraseStarts.has(words[at]?.text)) return undefined;
  let joined = words[at]?.text ?? "";
  let best: { family: string; length: number } | undefined;
  for (let length = 2; length <= maxPhraseWords; length++) {
    const word = words[at + length - 1];
    if (!word || word.parted) break;
    joined += ` ${word.text}`;
    const family = phraseFamilies.get(joined);
    if (family) best = { family, length };
  }
  return best;
}
