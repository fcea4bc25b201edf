/**
 * `npm run quality -- own-papers [AUTHOR…]`: prints the invented documents of `fit/papers/` as PDF
 * with Chromium, extracts from each over HTTP with its own fields, and scores the values by author
 * and language.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { authorOf, paramsOf, readPapers } from "../../fit/papers/papers.ts";
import { printPaper } from "../../fit/papers/print-paper.ts";
import { withService } from "../service-target.ts";
import { extract, type Given, printCalibration, valuesOf } from "./extracted-values.ts";
import { type Matches, noScore, type Score, scoreOf, sumOf } from "./paper-scores.ts";

/**
 * @param authors authors such as "07"; all if empty
 * @param errors maximum number of wrong fields to print
 */
export async function runOwnPapers(outFolder: string, authors: readonly string[], errors: number): Promise<void> {
  const papers = readPapers().filter((paper) => authors.length === 0 || authors.includes(authorOf(paper)));
  const out = join(outFolder, "own-papers");
  await mkdir(out, { recursive: true });
  const totals = new Map<string, Score>();
  const given: Given[] = [];
  const wrong: string[] = [];
  await withService({}, async (_, target) => {
    for (const paper of papers) {
      const params = paramsOf(paper);
      const extracted = await extract(target, printPaper(paper, out), params);
      await writeFile(join(out, `${paper.name}.json`), JSON.stringify(extracted.data, undefined, 1));
      const score = scoreOf(paper, extracted.data);
      given.push(...valuesOf(paper.name, extracted, params));
      wrong.push(...score.wrong.map((field) => `${paper.name} ${field}`));
      for (const group of ["all", `author ${authorOf(paper)}`, paper.language.slice(0, 2)])
        totals.set(group, sumOf(totals.get(group) ?? noScore, score));
    }
  });
  console.table(Object.fromEntries([...totals].sort().map(([group, score]) => [group, figuresOf(score)])));
  for (const field of wrong.slice(0, errors)) console.log(field);
  printCalibration(given, new Set(wrong));
}

function figuresOf({ papers, fields, rows, cells, nulls, nullsKept }: Score): Record<string, string | number> {
  const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(3));
  const f1 = ({ right, given, expected }: Matches): string => share(2 * right, given + expected);
  return {
    papers,
    "fields F1": f1(fields),
    precision: share(fields.right, fields.given),
    recall: share(fields.right, fields.expected),
    nulls: share(nullsKept, nulls),
    "rows F1": f1(rows),
    "cells F1": f1(cells),
  };
}
