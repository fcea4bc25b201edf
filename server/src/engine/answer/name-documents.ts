/**
 * Answers questions that ask for a document, such as "Which document mentions a broken strap?". The
 * answer consists of the names of the documents, each with a quote as evidence.
 */
import { countWords } from "../../language/count-words.ts";
import { isStopWord } from "../../language/function-words.ts";
import {
  type AnswerLanguage,
  knownLanguage,
  languages,
  phrasesOf,
  wordsOf,
} from "../../language/question-languages.ts";
import { stemOfWord } from "../../language/stemming.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { Answer, AnswerPart, PassageText, Question } from "../answering.ts";
import { kinds } from "../lexicon/document-kinds/all-kinds.ts";
import { afterObject, anyDocument, mentioning } from "../lexicon/questions/document-questions.ts";
import { questionWords } from "../lexicon/questions/question-words.ts";
import { type Analysis, analyse, askedText } from "./analyze-question.ts";
import { isLabelWord } from "./document-names.ts";
import { documentKey } from "./documents-to-read.ts";
import { candidatesOf, type UnitCandidate } from "./features.ts";
import { select } from "./select-quotes.ts";
import { heldShare } from "./term-strengths.ts";

/** Maximum number of content words before the noun that stands for a document, such as "file". */
const maxBefore = 2;
/** Prepositions that may begin a question that asks for a document, as in "In which file …?" */
const inside = new Set(["in", "dans", "en", "em", "nel", "no", "na", "в"]);

/**
 * Returns true if the question asks for a document: "Which letter is about a broken strap?". Returns
 * false for "Which document did they sign?" and "Which invoice number …?".
 */
export function asksForDocument(query: string, language: AnswerLanguage): boolean {
  const { kind } = analyse(query, language);
  if (kind !== "which" && kind !== "list" && kind !== "place") return false;
  const tokens = wordTokensOf(query);
  const words = tokens.map(({ folded }) => folded);
  const at = nounAt(words, language);
  if (at <= 0 || words.slice(0, at).filter((word) => !isStopWord(word, language)).length > maxBefore) return false;
  if (inside.has(words[0] ?? "")) return true;
  const next = tokens[at + 1];
  if (next === undefined || isAfterObject(next.folded, language)) return false;
  // In "Which paper covers …", "covers" is a verb, although "cover" is also a label word.
  return !isLabelWord(next.word) || (language === "en" && next.folded.endsWith("s"));
}

const isAfterObject = (word: string, language: AnswerLanguage): boolean =>
  wordsOf(afterObject[language]).includes(word);

/**
 * Returns the index of the first noun that stands for a document, or -1. A noun for one document
 * kind, such as "invoice", must directly follow a word such as "which". "What does the invoice
 * amount to?" asks for the content of the invoice.
 */
function nounAt(words: readonly string[], language: AnswerLanguage): number {
  const nouns = new Set(wordsOf(anyDocument[language]));
  const asking = phrasesOf(questionWords.which[language]);
  return words.findIndex(
    (word, at) =>
      nouns.has(word) ||
      (asking.includes(words[at - 1] ?? "") &&
        !isStopWord(word, language) &&
        kindNouns().has(stemOfWord(word, language))),
  );
}

let stems: ReadonlySet<string> | undefined;

/** Returns the stems of the one-word names of all document kinds, such as "invoice". */
function kindNouns(): ReadonlySet<string> {
  stems ??= new Set(
    kinds
      .flatMap(({ names }) => names.split(", "))
      .filter((name) => /^\p{L}+$/u.test(name))
      .flatMap((name) => languages.map((language) => stemOfWord(name, language))),
  );
  return stems;
}

/**
 * Minimum share of the question terms, by weight, that a single passage of a document must contain.
 */
const minShare = 0.5;
/**
 * Minimum share of the question terms that a named document must contain, relative to the share of
 * the best document. Chosen by hand, 2026-11.
 */
const nearBest = 0.9;
const maxNamed = 3;
/**
 * Minimum share of the question terms that the document of the first search result must contain. It
 * applies if no document reaches `minShare`. Chosen on questions about our own documents, 2026-11.
 */
const minShareOfFirst = 0.2;

interface NamedDocument {
  /** Index of the document's passage that contains most of the question terms, by weight. */
  index: number;
  /** Share of the question terms, by weight, that this passage contains, 0 to 1. */
  share: number;
  /** Unit of this passage that contains most of the question terms and is quoted. */
  unit: UnitCandidate | undefined;
  /** True for the document of the first search result. */
  isFirst: boolean;
}

/** Returns the answer, or undefined if no document contains enough of the question terms. */
export function nameDocuments(question: Question, passages: readonly PassageText[]): Answer | undefined {
  const language = knownLanguage(question.language);
  const analysis = withoutMentioning(question, language);
  if (analysis.terms.length === 0 || passages.length === 0) return undefined;
  const { candidates, weights, read } = candidatesOf(analysis, passages, language);
  const named = [...Map.groupBy(passages.keys(), (index) => documentKey(itemAt(passages, index))).values()]
    .map((indices): NamedDocument => {
      const best = indices
        .map((index) => ({ index, share: heldShare(itemAt(read, index).whole, weights) }))
        .reduce((a, b) => (b.share > a.share ? b : a));
      return { ...best, unit: bestUnit(candidates, best.index), isFirst: indices.includes(0) };
    })
    .toSorted((a, b) => b.share - a.share);
  const top = named[0]?.share ?? 0;
  const chosen =
    top >= minShare ? named.filter(({ share }) => share >= nearBest * top).slice(0, maxNamed) : firstFound(named);
  const context = { texts: passages.map(({ text }) => text), read, weights, analysis, language };
  const parts = chosen.flatMap(({ index, unit }, at): AnswerPart[] => {
    if (unit === undefined) return [];
    const { name, text } = itemAt(passages, index);
    const words = Math.floor(question.wishes.words / chosen.length) - countWords(name);
    const limits = { words: Math.max(1, words), sentences: 1 };
    const [quote] = select([{ candidate: unit, score: 0, share: 1 }], limits, context);
    if (quote === undefined) return [];
    const { passage, start, end } = quote;
    const source = { passage, start, end };
    return [
      { before: at === 0 ? "" : "\n", text: name, sources: [source] },
      { before: ": ", text: text.slice(start, end), sources: [source] },
    ];
  });
  return parts.length === 0 ? undefined : { found: true, confidence: chosen[0]?.share ?? 0, parts };
}

/**
 * Returns the document of the first search result if it contains at least `minShareOfFirst` of the
 * question terms. This low share is enough, because the search also considers inflections and how
 * rare words are in the corpus.
 */
const firstFound = (named: readonly NamedDocument[]): NamedDocument[] => {
  const first = named.find(({ isFirst }) => isFirst);
  return first && first.share >= minShareOfFirst ? [first] : [];
};

function bestUnit(candidates: readonly UnitCandidate[], passage: number): UnitCandidate | undefined {
  let best: UnitCandidate | undefined;
  for (const candidate of candidates)
    if (candidate.passage === passage && candidate.features.own > (best?.features.own ?? 0)) best = candidate;
  return best;
}

/**
 * Analyzes the question without the noun that stands for a document and without verbs such as
 * "mentions".
 */
function withoutMentioning(question: Question, language: AnswerLanguage): Analysis {
  const analysis = analyse(askedText(question), language);
  const words = wordTokensOf(question.query).map(({ folded }) => folded);
  const left = new Set([...wordsOf(mentioning[language]), words[nounAt(words, language)]]);
  return { ...analysis, terms: analysis.terms.filter(({ folded }) => !left.has(folded)) };
}
