/**
 * `npm run quality -- correction-curve [FOLDER]`: measures how fast an extractor learns from
 * corrections. All documents of a group have the same layout. The extractor is taught 0, 1, 3 or 5
 * of them, and then extracts from the next one.
 */
import { isDeepStrictEqual } from "node:util";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { withDocuments } from "../../fit/papers/fitted-papers.ts";
import { type Paper, paramsOf, readLayouts } from "../../fit/papers/papers.ts";
import { printPaper } from "../../fit/papers/print-paper.ts";
import { isSame } from "../../fit/papers/same-value.ts";
import { mulberry32 } from "../../fit/random.ts";
import type { Extraction, LeafValue, ValueRecord } from "../../server/src/engine/engine.ts";
import { extractBuiltin } from "../../server/src/engine/extract/extract-fields.ts";
import { learnPaper } from "../../server/src/engine/extract/memory/learn-paper.ts";
import { recallValues } from "../../server/src/engine/extract/memory/recall-values.ts";
import type { LearnedPaper, TaughtPaper } from "../../server/src/engine/memory.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { type Matches, noScore, type Score, scoreOf, sumOf } from "./paper-scores.ts";

interface ReadPaper {
  paper: Paper;
  document: Document;
  /** Result of extraction before anything was learned. */
  plain: Extraction;
}

const steps = [0, 1, 3, 5];
/** Share (0–1) of the taught values that are deliberately wrong in the last two measurements. */
const wrongShare = 0.1;

export async function runCorrectionCurve(outFolder: string, folder: string | undefined, errors: number): Promise<void> {
  const papers = readLayouts(folder);
  const layouts = new Map<string, ReadPaper[]>();
  const files = papers.map((paper) => ({
    name: `layout-${paper.name}`,
    paper,
    open: () => printPaper(paper, outFolder),
  }));
  for await (const [{ paper }, document] of withDocuments(files)) {
    const layout = paper.name.slice(0, paper.name.indexOf("-"));
    const plain = extractBuiltin({ document, params: paramsOf(paper) });
    layouts.set(layout, [...(layouts.get(layout) ?? []), { paper, document, plain }]);
  }
  const curve: Record<string, Record<string, string | number>> = {};
  const wrong: string[] = [];
  const byLayout = new Map<string, string[]>();
  for (const [step, share] of [
    ...steps.map((step) => [step, 0] as const),
    [3, wrongShare] as const,
    [5, wrongShare] as const,
  ]) {
    let sum = noScore;
    for (const [layout, own] of layouts) {
      const score = measure(own, step, share, step === 1 ? wrong : []);
      sum = sumOf(sum, score);
      if (share === 0) byLayout.set(layout, [...(byLayout.get(layout) ?? []), String(rowOf(score).F1)]);
    }
    curve[`F1(${step})${share > 0 ? ", one value in ten wrong" : ""}`] = rowOf(sum);
  }
  console.table(curve);
  for (const [layout, own] of layouts) console.log(layout, own[0]?.paper.kind, byLayout.get(layout)?.join(" "));
  for (const field of wrong.slice(0, errors)) console.log(field);
  printOtherLayouts(layouts);
  printTimes();
}

const times: number[] = [];

/** Teaches the documents in order, as the service does after corrections. */
function teach(papers: readonly ReadPaper[], share: number, prefix = ""): LearnedPaper[] {
  const memory: LearnedPaper[] = [];
  for (const { paper, document } of papers) {
    const before = performance.now();
    const { paper: learned } = learnPaper(document, paramsOf(paper), taughtOf(paper, share), memory);
    times.push(performance.now() - before);
    memory.push({ id: `${prefix}${paper.name}`, ...learned });
  }
  return memory;
}

/**
 * @param share share (0–1) of the values that are replaced by another value of the same document
 */
function taughtOf({ name, fields, lists }: Paper, share: number): TaughtPaper {
  const random = mulberry32(name.length * 7919 + [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  const givenValue = ({ format, value }: Paper["fields"][number]): LeafValue => {
    if (random() >= share) return value;
    const others = fields.filter((other) => other.format === format && other.value !== value);
    return others[Math.floor(random() * others.length)]?.value ?? value;
  };
  return {
    values: Object.fromEntries([
      ...fields.map((field) => [field.name, givenValue(field)] as const),
      ...lists.map((list) => [list.name, list.rows] as const),
    ]),
    places: {},
  };
}

/**
 * Scores the extraction from each document after teaching the `step` documents that precede it. The
 * order is circular: the last document precedes the first.
 */
function measure(papers: readonly ReadPaper[], step: number, share: number, wrong: string[]): Score {
  let sum = noScore;
  if (papers.length <= step) return sum;
  for (const [at, { paper, document, plain }] of papers.entries()) {
    const taught = Array.from({ length: step }, (_, back) => papers.at((at - step + back) % papers.length)).flatMap(
      (each) => each ?? [],
    );
    const params = paramsOf(paper);
    const memory = teach(taught, share);
    const result = recallValues(document, params, memory, plain);
    const score = scoreOf(paper, result.data);
    wrong.push(...wrongValues(paper, result.data, score));
    if (step === 3) checkUndo(params, document, plain, memory, teach(taught.slice(0, -1), share));
    sum = sumOf(sum, score);
  }
  return sum;
}

/**
 * Throws an error unless undoing the last lesson gives the same result as if it had never been
 * taught.
 */
function checkUndo(
  params: readonly ExtractionParam[],
  document: Document,
  plain: Extraction,
  memory: readonly LearnedPaper[],
  before: readonly LearnedPaper[],
): void {
  const undone = recallValues(document, params, memory.slice(0, -1), plain);
  if (!isDeepStrictEqual(undone, recallValues(document, params, before, plain)))
    throw new Error("Undoing is not exact.");
}

function wrongValues({ name, fields, lists }: Paper, data: ValueRecord, { wrong }: Score): string[] {
  const told = (given: unknown, expected: unknown): string =>
    `${JSON.stringify(given)} for ${JSON.stringify(expected)}`;
  const ofFields = wrong.map(
    (field) => `${name} ${field}: ${told(data[field], fields.find((each) => each.name === field)?.value)}`,
  );
  const ofLists = lists.flatMap((list) =>
    list.rows.flatMap((truth, row) => {
      const given = (data[list.name] as ValueRecord[])[row];
      const isRight = list.items.every((item) =>
        isSame(given?.[item.name] ?? null, truth[item.name] ?? null, item.format),
      );
      return isRight ? [] : [`${name} ${list.name}/${row}: ${told(given, truth)}`];
    }),
  );
  return [...ofFields, ...ofLists];
}

/**
 * Teaches only documents of other layouts. Prints how many documents then get a different result,
 * and how many of their fields become wrong.
 */
function printOtherLayouts(layouts: ReadonlyMap<string, ReadPaper[]>): void {
  let recognized = 0;
  let changed = 0;
  let lost = 0;
  let count = 0;
  for (const [layout, papers] of layouts) {
    const others = [...layouts].filter(([name]) => name !== layout).flatMap(([, own]) => own.slice(0, 3));
    const memory = teach(others, 0);
    for (const { paper, document, plain } of papers) {
      // Uses the lessons of all other layouts at once, as if one extractor had learned them all.
      const result = recallValues(document, paramsOf(paper), memory, plain);
      count++;
      if (result.usedMemory) recognized++;
      if (!isDeepStrictEqual(result.data, plain.data)) changed++;
      const [before, after] = [scoreOf(paper, plain.data), scoreOf(paper, result.data)];
      lost += after.wrong.filter((name) => !before.wrong.includes(name)).length;
    }
  }
  console.log(
    `Other layouts: ${recognized} of ${count} papers taken for another layout, ${changed} changed, ${lost} fields lost.`,
  );
}

function printTimes(): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  console.log(`Learning a paper: median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, maximum ${at(1)} ms.`);
}

function rowOf({ papers, fields, rows, cells, nulls, nullsKept }: Score): Record<string, string | number> {
  const f1 = ({ right, given, expected }: Matches): string =>
    given + expected === 0 ? "–" : ((2 * right) / (given + expected)).toFixed(3);
  const all = {
    right: fields.right + cells.right,
    given: fields.given + cells.given,
    expected: fields.expected + cells.expected,
  };
  return {
    papers,
    F1: f1(all),
    "fields F1": f1(fields),
    nulls: nulls === 0 ? "–" : (nullsKept / nulls).toFixed(3),
    "rows F1": f1(rows),
    "cells F1": f1(cells),
  };
}
