/**
 * `npm run quality -- correction-curve [FOLDER]`: how fast an extractor learns by correction. Each
 * group of papers has one layout; the extractor is taught 0, 1, 3 and 5 of them and reads the next.
 */
import { isDeepStrictEqual } from "node:util";
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
  /** Result without anything learned. */
  plain: Extraction;
}

const steps = [0, 1, 3, 5];
/** Share of wrong values in the last measurement. */
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
  for (const step of steps) curve[`F1(${step})`] = rowOf(measure(layouts, step, 0, step === 1 ? wrong : []));
  curve[`F1(5), one value in ten wrong`] = rowOf(measure(layouts, 5, wrongShare, []));
  curve[`F1(3), one value in ten wrong`] = rowOf(measure(layouts, 3, wrongShare, []));
  console.table(curve);
  for (const [layout, own] of layouts) {
    const of = (step: number): string => rowOf(measure(new Map([[layout, own]]), step, 0, []))["fields F1"] as string;
    const rows = (step: number): string => String(rowOf(measure(new Map([[layout, own]]), step, 0, []))["cells F1"]);
    console.log(layout, own[0]?.paper.kind, "fields", steps.map(of).join(" "), "cells", steps.map(rows).join(" "));
  }
  for (const field of wrong.slice(0, errors)) console.log(field);
  printOtherLayouts(layouts);
  printTimes();
}

const times: number[] = [];

/** Teaches the papers in order, as an extractor learns them. */
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

/** @param share share of the values that are replaced by another value of the paper */
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

function measure(layouts: ReadonlyMap<string, ReadPaper[]>, step: number, share: number, wrong: string[]): Score {
  let sum = noScore;
  for (const papers of layouts.values())
    for (const [at, { paper, document, plain }] of papers.entries()) {
      if (papers.length <= step) continue;
      // The papers before it, in a ring: each paper is the next one once.
      const taught = Array.from(
        { length: step },
        (_, back) => papers[(at - step + back + papers.length) % papers.length],
      );
      const memory = teach(
        taught.filter((each) => each !== undefined),
        share,
      );
      const result = recallValues(document, paramsOf(paper), memory, plain);
      const score = scoreOf(paper, result.data);
      for (const name of score.wrong)
        wrong.push(
          `${paper.name} ${name}: ${JSON.stringify(result.data[name])} for ${JSON.stringify(paper.fields.find((each) => each.name === name)?.value)}`,
        );
      for (const list of paper.lists) {
        const given = result.data[list.name] as ValueRecord[];
        for (const [row, truth] of list.rows.entries())
          if (
            !list.items.every(({ name, format }) => isSame(given?.[row]?.[name] ?? null, truth[name] ?? null, format))
          )
            wrong.push(
              `${paper.name} ${list.name}/${row}: ${JSON.stringify(given?.[row])} for ${JSON.stringify(truth)}`,
            );
      }
      const undone = recallValues(document, paramsOf(paper), memory.slice(0, -1), plain);
      const before = recallValues(
        document,
        paramsOf(paper),
        teach(
          taught.slice(0, -1).flatMap((each) => each ?? []),
          share,
        ),
        plain,
      );
      if (!isDeepStrictEqual(undone, before)) throw new Error(`Undoing changes ${paper.name}.`);
      sum = sumOf(sum, score);
    }
  return sum;
}

/** Prints how many fields of a layout change after all other layouts were taught. */
function printOtherLayouts(layouts: ReadonlyMap<string, ReadPaper[]>): void {
  let recognized = 0;
  let changed = 0;
  let lost = 0;
  let count = 0;
  for (const [layout, papers] of layouts) {
    const others = [...layouts].filter(([name]) => name !== layout).flatMap(([, own]) => own.slice(0, 3));
    const memory = teach(others, 0);
    for (const { paper, document, plain } of papers) {
      // The names of fields are those of this paper, as if one extractor had all layouts.
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
