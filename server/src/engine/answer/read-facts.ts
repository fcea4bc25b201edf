/**
 * Reads, from one document, the values that may answer a question: values with a label, in a table,
 * or in a sentence. Extraction would consider the same values for a field whose description is the
 * question.
 */
import { knownLanguage } from "../../language/question-languages.ts";
import type { Document } from "../../reading/document.ts";
import type { Fact, Question } from "../answering.ts";
import { choose, rank } from "../extract/choose-values.ts";
import { type AskedField, readAskedFields } from "../extract/labels/asked-fields.ts";
import { type PartyView, partyViewOf } from "../extract/parties/party-view.ts";
import { chancesOf } from "../extract/ranking/chances.ts";
import { type Forest, forest, logitOf } from "../extract/ranking/forest.ts";
import { type Pool, poolOf } from "../extract/ranking/pool.ts";
import type { PoolValue } from "../extract/ranking/pool-value.ts";
import { rankByRules } from "../extract/ranking/rank-by-rules.ts";
import { describeValues } from "../extract/ranking/rank-values.ts";
import { makeEvidence } from "../page/make-evidence.ts";
import { analyse, askedText } from "./analyze-question.ts";
import { FactFeatures, type FactRank, writeLeads } from "./fact-features.ts";
import { fieldsAskedFor } from "./fact-question.ts";
import { matcherOf } from "./match-terms.ts";
import { tableCellsOf } from "./table-cells.ts";

/**
 * Maximum number of values that are read because they are the most probable. Chosen by hand,
 * 2026-11.
 */
const mostProbable = 10;
/** Maximum number of rows from which values are read because they contain words of the question. */
const mostRows = 8;
/** Maximum number of values that are read from each row that contains words of the question. */
const mostInRow = 8;

interface Found {
  value: PoolValue;
  rank: FactRank;
}

const unranked: FactRank = { chance: 0, isFirst: false, hasFormat: false, known: 0 };

/**
 * Returns the values that may answer the question, in no particular order.
 * @param trees forest that ranks the values of a field
 */
export function readFacts(document: Document, question: Question, trees: Forest = forest()): Fact[] {
  const language = knownLanguage(question.language);
  const params = fieldsAskedFor(question);
  const asked = readAskedFields(params);
  const view = partyViewOf(document, asked);
  const pool = poolOf(view);
  const known = knownFieldOf(question, asked, view);
  const found = new Map<string, Found>();
  for (const { query, values } of describeValues(rankByRules(asked, view), view, pool)) {
    if (query.format === "boolean" || query.format === "list") continue;
    const chances = chancesOf(
      values.map(({ value }) => value.value),
      values.map(({ row }) => logitOf(trees, row)),
    );
    const best = Math.max(0, ...chances);
    for (const [index, { value }] of values.entries()) {
      const chance = chances[index] ?? 0;
      const key = keyOf(value);
      if (chance <= (found.get(key)?.rank.chance ?? -1)) continue;
      const hasFormat = query.format === params[0]?.format;
      const rank = { chance, isFirst: chance === best, hasFormat, known: key === known?.key ? known.confidence : 0 };
      found.set(key, { value, rank });
    }
  }
  const { terms, words } = analyse(askedText(question), language);
  const features = new FactFeatures(
    view.layout,
    { terms, words, match: matcherOf(terms, language), description: params.at(-1)?.description ?? "" },
    tableCellsOf(view),
  );
  const probable = [...found.values()].toSorted((a, b) => b.rank.chance - a.rank.chance).slice(0, mostProbable);
  const taken = new Set(probable.map(({ value }) => keyOf(value)));
  const inRows = [...Map.groupBy(cellsOf(pool), ({ run }) => `${run.page} ${run.row}`).values()]
    .flatMap((cells) => {
      const rating = cells[0] ? features.rateRow(cells[0]) : 0;
      return rating > 0 ? [{ cells, rating }] : [];
    })
    .toSorted((a, b) => b.rating - a.rating)
    .slice(0, mostRows)
    .flatMap(({ cells }) => cells.slice(0, mostInRow))
    .filter((value) => !taken.has(keyOf(value)))
    .map((value) => found.get(keyOf(value)) ?? { value, rank: unranked });
  const all = [...probable, ...inRows].map((each) => ({
    found: each,
    row: features.of(each.value, each.rank),
  }));
  writeLeads(all.map(({ row }) => row));
  return all.flatMap(({ found: { value, rank }, row }): Fact[] => {
    const page = view.layout.pages[value.run.page]?.page;
    const evidence = page && makeEvidence(page, value.words, value.value, rank.chance, value.match === "inferred");
    return evidence ? [{ evidence, features: row }] : [];
  });
}

/** Returns the numbers, the dates, and the texts that fill a whole text run, in reading order. */
function cellsOf(pool: Pool): PoolValue[] {
  const cells = new Map<string, PoolValue>();
  const texts = pool
    .text()
    .filter(({ run, start, end, lines }) => lines === 1 && start === 0 && end === run.text.length);
  for (const value of [...pool.number(), ...pool.date(), ...texts])
    if (!cells.has(keyOf(value))) cells.set(keyOf(value), value);
  return [...cells.values()].toSorted((a, b) => a.run.column - b.run.column);
}

/**
 * Extracts the field that the lexicon finds in the question, using the extraction rules for that
 * field.
 */
function knownFieldOf(
  { field }: Question,
  [asked]: readonly AskedField[],
  view: PartyView,
): { key: string; confidence: number } | undefined {
  if (field === undefined || asked === undefined) return undefined;
  const choice = choose(rank([asked], view), view).get(asked);
  return choice && { key: keyOf(choice.candidate), confidence: choice.confidence };
}

const keyOf = ({ run, words }: Pick<PoolValue, "run" | "words">): string => `${run.page} ${words.join(" ")}`;
