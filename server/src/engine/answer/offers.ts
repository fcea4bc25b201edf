/** Collects everything that may be the answer to a question: facts of documents, and quotes. */
import { countWords } from "../../language/count-words.ts";
import { type AnswerLanguage, knownLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { AnswerPart, DocumentFacts, PassageText, Question } from "../answering.ts";
import { analyse, askedText } from "./analyze-question.ts";
import { chanceOf, minChance, signsOf } from "./answer-chance.ts";
import { ChoiceFeatures } from "./choose-answer.ts";
import { rateDocuments } from "./documents-to-read.ts";
import { factFeatureNames } from "./fact-features.ts";
import { descriptionOf, weightsWithoutNames } from "./fact-question.ts";
import { isAvoided, type ReadPassages, readPassages } from "./read-passages.ts";
import { type Quote, type Scored, select } from "./select-quotes.ts";
import { heldShare, strongest } from "./term-strengths.ts";

/** A fact or quote that may be the answer, with the features of `choiceFeatureNames`. */
export interface Offer {
  text: string;
  parts: AnswerPart[];
  row: Float32Array;
  /** If this offer is chosen with a lower confidence, the answer is "no answer". */
  minimum: number;
  /**
   * Confidence that the offer is the value of the field that the lexicon recognizes in the
   * question. 0 if the offer is not this field's value. The answer gets at least this confidence.
   * Measured on descriptions of fields, 2026-11: 23 of 24 values at 0.9 or more were correct, and
   * 46 of 57 at 0.7 or more.
   */
  known: number;
}

/**
 * Minimum confidence of an answer. Below it, the response is "no answer". Chosen on the questions
 * of `fit/answers/`, 2026-11. Each question set was measured with a forest fitted without that set.
 * Lowering it to 0.25 would answer another 5 % of the questions correctly, but would also give
 * wrong answers to another 17 % of the unanswerable questions.
 */
const minAnswer = 0.35;
/**
 * Minimum confidence of an answer if the passages are articles. A quote from an article must also
 * have a probability of at least `minChance`, computed from its signs.
 */
const minOfArticles = 0.1;

/**
 * Minimum confidence of a fact if its document contains none of the question's words. Such a fact
 * matches the question in meaning only. Chosen by hand, 2026-11.
 */
const minWithoutWords = 0.7;

const knownAt = factFeatureNames.indexOf("known field");
const inDocumentAt = factFeatureNames.indexOf("in document");

/** Returns everything that may be the answer: facts, quotes of single units, and joined quotes. */
export function offersFor(
  question: Question,
  passages: readonly PassageText[],
  facts: readonly DocumentFacts[],
): Offer[] {
  const analysis = analyse(askedText(question), knownLanguage(question.language));
  const reading = readPassages(question, passages);
  const units = reading.read.flatMap((passage) => passage.units);
  const sentences = units.filter(({ kind }) => kind === "sentence").length / Math.max(1, units.length);
  const choice = new ChoiceFeatures(analysis, rateDocuments(question, passages), descriptionOf(question), sentences);
  const found = facts.flatMap(({ passage, facts: own }) =>
    own.flatMap(({ evidence, features }): Offer[] => {
      const text = withoutMarks(evidence.quote);
      if (countWords(text) > question.wishes.words || isAvoided(text, question)) return [];
      const parts = [{ before: "", text, sources: [{ passage, evidence }] }];
      const known = features[knownAt] ?? 0;
      const minimum = known > 0 || (features[inDocumentAt] ?? 0) > 0 ? minAnswer : minWithoutWords;
      return [{ text, parts, row: choice.ofFact(passage, features), minimum, known }];
    }),
  );
  const isArticle = sentences > ofArticles || withoutPapers.has(reading.language) || found.length === 0;
  return [...found, ...quotesFor(question, reading, isArticle, choice)];
}

/**
 * Removes the punctuation after a value in running text, as in "12 May 2025," and "the vault is
 * ZEBRA." A dot stays after a short word, because that may be an abbreviation, as in "Marlow Inc."
 */
const withoutMarks = (quote: string): string =>
  quote.replace(/[,;:]$/, "").replace(/(?<=\p{Nd}|\p{L}{5})\.$/u, "") || quote;

/** Number of units with the highest scores that are offered as quotes. Chosen by hand, 2026-11. */
const mostByScore = 4;
/**
 * Number of units that are offered as quotes because they contain the most question terms. Names do
 * not count as terms. Chosen by hand, 2026-11.
 */
const mostByWords = 5;

/**
 * If at least this share of the units are sentences, the passages count as articles. From articles,
 * only joined units are offered, and only if they probably answer the question. The share is below
 * 0.7 in business documents and above 0.9 in articles. Chosen on the sets of `fit/answers/`,
 * 2026-11.
 */
const ofArticles = 0.75;

/**
 * Languages in which the training data contains no questions about business documents. Passages in
 * these languages are treated as articles. So are passages whose documents contain no facts.
 */
const withoutPapers: ReadonlySet<AnswerLanguage> = new Set(["ru", "ar", "zh"]);

/**
 * Returns the best quotes of the passages: joined units and, from business documents, also single
 * units.
 */
function quotesFor(question: Question, reading: ReadPassages, isArticle: boolean, choice: ChoiceFeatures): Offer[] {
  const { language, analysis, usable, weights, read, ranked } = reading;
  const context = { texts: usable.map((passage) => passage.text), read, weights, analysis, language };
  const asked = wordTokensOf(question.query);
  const scores = usable.map((passage) => passage.score);
  const asks = weightsWithoutNames(weights, analysis.terms, descriptionOf(question));
  const metBy = ({ candidate: { passage, index } }: Scored): number =>
    heldShare(strongest(itemAt(read, passage).found[index] ?? []), asks);
  const offer = (scored: Scored, quotes: readonly Quote[], isJoined: boolean): Offer[] => {
    if (quotes.length === 0) return [];
    const { candidate, share } = scored;
    const signs = signsOf(candidate, analysis, asked, read, weights, scores, language);
    const chance = chanceOf(signs);
    if (isArticle && chance < minChance) return [];
    const parts = quotes.map((quote, at) => partOf(quote, quotes[at - 1], usable));
    const text = parts.map((part) => part.before + part.text).join("");
    const { passage, index, unit } = candidate;
    const row = choice.ofQuote({
      passage,
      text,
      signs,
      chance,
      share: isJoined ? sharesOf(quotes) : share,
      met: metBy(scored),
      metBefore: index === 0 ? 0 : metBy({ ...scored, candidate: { ...candidate, index: index - 1 } }),
      isLine: unit.kind === "line",
      isJoined,
    });
    return [{ text, parts, row, minimum: isArticle ? minOfArticles : minAnswer, known: 0 }];
  };
  const [best] = ranked;
  if (best === undefined) return [];
  const offers = offer(best, select(ranked, question.wishes, context), true);
  if (isArticle) return offers;
  const byWords = ranked
    .map((scored) => ({ scored, met: metBy(scored) }))
    .toSorted((a, b) => b.met - a.met || b.scored.score - a.scored.score)
    .slice(0, mostByWords);
  const alone = new Set([...ranked.slice(0, mostByScore), ...byWords.map(({ scored }) => scored)]);
  const limits = { ...question.wishes, sentences: 1 };
  for (const scored of alone) offers.push(...offer(scored, select([{ ...scored, share: 1 }], limits, context), false));
  choice.writeLeads(offers.map(({ row }) => row));
  return offers;
}

const sharesOf = (quotes: readonly Quote[]): number =>
  Math.min(
    1,
    quotes.reduce((sum, quote) => sum + quote.share, 0),
  );

function partOf(quote: Quote, previous: Quote | undefined, passages: readonly PassageText[]): AnswerPart {
  const text = itemAt(passages, quote.passage).text;
  const { passage, start, end } = quote;
  return {
    before: previous === undefined ? "" : separator(previous, quote, text),
    text: text.slice(start, end),
    sources: [{ passage, start, end }],
  };
}

/**
 * Returns the separator before a quote: a line break between lines, or a space between sentences of
 * one line.
 */
function separator(previous: Quote, quote: Quote, text: string): string {
  if (previous.passage !== quote.passage) return "\n";
  const between = text.slice(previous.end, quote.start);
  return between.trim() === "" ? between : between.includes("\n") ? "\n" : " ";
}
