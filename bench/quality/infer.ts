/**
 * `npm run quality -- infer [GROUP…]`: proposes fields for each document separately. Counts how
 * many of the expected fields, which users of the document would ask for, are proposed. A group is
 * papers-a or an author of `fit/papers`.
 */
import { join } from "node:path";
import type { ParamFormat } from "@sheaf/contract/params.ts";
import { type FittedPaper, readFittedPapers, type TrueRow, withDocuments } from "../../fit/papers/fitted-papers.ts";
import { authorOf, evaluationAuthors, paramsOf, readPapers } from "../../fit/papers/papers.ts";
import { printPaper } from "../../fit/papers/print-paper.ts";
import { isSame } from "../../fit/papers/same-value.ts";
import type { LeafValue, Proposal, Value } from "../../server/src/engine/engine.ts";
import { proposeFields } from "../../server/src/engine/propose/propose-fields.ts";
import { allTemplates } from "../../server/src/features/templates/templates.service.ts";

interface Counts {
  papers: number;
  asked: number;
  proposed: number;
  lists: number;
  listsProposed: number;
  proposals: number;
  useless: number;
  template: number;
}

export async function runInfer(outFolder: string, groups: readonly string[], show: number): Promise<void> {
  const papers = [...readFittedPapers(), ...evaluationPapers(outFolder)].filter(
    ({ author }) => groups.length === 0 || groups.includes(author),
  );
  const kinds = allTemplates("en");
  const totals = new Map<string, Counts>();
  for await (const [paper, document] of withDocuments(papers)) {
    const { fields, kind } = proposeFields({ document, filename: "file.pdf", kinds });
    const counts = countsOf(paper, fields);
    if (kind !== null) counts.template = 1;
    for (const group of ["all", paper.author]) totals.set(group, sumOf(totals.get(group), counts));
    if (totals.get("all")?.papers === undefined || (totals.get("all")?.papers ?? 0) > show) continue;
    console.log(`\n${paper.name} (${paper.kind}, ${kind})`);
    for (const { name, format } of paper.params)
      if (format !== "list" && !isProposed(paper, name, format, fields))
        console.log(`  missed ${format} ${name} ${paper.fields.get(name)}`);
    for (const { param, value, usefulness } of fields)
      console.log(`  ${usefulness.toFixed(2)} ${param.name} ${param.format} = ${JSON.stringify(value).slice(0, 80)}`);
  }
  console.table(Object.fromEntries([...totals].sort().map(([group, counts]) => [group, figuresOf(counts)])));
}

/** Returns the documents by the held-out authors, which are used for evaluation only. */
const evaluationPapers = (outFolder: string): FittedPaper[] =>
  readPapers()
    .filter((paper) => evaluationAuthors.includes(authorOf(paper)))
    .map((paper) => ({
      name: paper.name,
      author: authorOf(paper),
      kind: paper.kind,
      language: paper.language.slice(0, 2),
      params: paramsOf(paper),
      fields: new Map(paper.fields.map(({ name, value, accept = [] }) => [name, [value, ...accept]])),
      lists: Object.fromEntries(paper.lists.map(({ name, rows }) => [name, rows])),
      open: () => printPaper(paper, join(outFolder, "fit")),
    }));

function countsOf(paper: FittedPaper, proposals: readonly Proposal[]): Counts {
  const single = paper.params.filter(
    ({ name, format }) => format !== "list" && (paper.fields.get(name)?.[0] ?? null) !== null,
  );
  const lists = Object.values(paper.lists).filter((rows) => rows.length > 0);
  return {
    papers: 1,
    asked: single.length,
    proposed: single.filter(({ name, format }) => isProposed(paper, name, format, proposals)).length,
    lists: lists.length,
    listsProposed: lists.filter((rows) => proposals.some(({ value }) => isList(value, rows))).length,
    proposals: proposals.length,
    useless: proposals.filter((proposal) => !isAsked(paper, proposal)).length,
    template: 0,
  };
}

/**
 * Returns true if a field that users would ask for in the format `asked` may be proposed in the
 * format `given`.
 */
const compatible = (asked: ParamFormat, given: ParamFormat): boolean =>
  asked === given || (asked === "text" && given !== "list");

function isProposed(paper: FittedPaper, name: string, format: ParamFormat, proposals: readonly Proposal[]): boolean {
  const right = paper.fields.get(name) ?? [];
  return proposals.some(({ param, value, evidence }) => {
    if (!compatible(format, param.format) || Array.isArray(value)) return false;
    const quote = evidence !== null && !Array.isArray(evidence) ? evidence.quote : "";
    return right.some((each) => isSame(value, each, format) || (format === "text" && isSame(quote, each, format)));
  });
}

/**
 * Minimum share (0–1) of a list's cells that a proposed list must contain to count as that list.
 */
const mostCells = 0.5;

function isList(value: Value, rows: readonly TrueRow[]): boolean {
  if (!Array.isArray(value)) return false;
  const cells = rows.flatMap((row) => Object.values(row)).filter((cell) => cell !== null);
  const given = value.flatMap((row) => Object.values(row)) as LeafValue[];
  const found = cells.filter((cell) => given.some((each) => isSameCell(each, cell)));
  return found.length >= mostCells * cells.length;
}

const isSameCell = (given: LeafValue, cell: LeafValue): boolean =>
  isSame(given, cell, typeof cell === "number" ? "number" : "text");

function isAsked(paper: FittedPaper, { value, param }: Proposal): boolean {
  const cells = Object.values(paper.lists).flatMap((rows) => rows.flatMap((row) => Object.values(row)));
  if (Array.isArray(value)) return Object.values(paper.lists).some((rows) => isList(value, rows));
  const fields = paper.params.filter(({ format }) => compatible(format, param.format));
  const asked = fields.some(({ name, format }) =>
    (paper.fields.get(name) ?? []).some((each) => each !== null && isSame(value, each, format)),
  );
  return asked || cells.some((cell) => cell !== null && isSameCell(value as LeafValue, cell));
}

const sumOf = (a: Counts | undefined, b: Counts): Counts =>
  a === undefined
    ? b
    : (Object.fromEntries(
        Object.entries(b).map(([key, value]) => [key, value + a[key as keyof Counts]]),
      ) as unknown as Counts);

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(3));
const figuresOf = (counts: Counts): Record<string, string | number> => ({
  papers: counts.papers,
  "fields proposed": share(counts.proposed, counts.asked),
  "lists proposed": share(counts.listsProposed, counts.lists),
  "proposals per paper": (counts.proposals / counts.papers).toFixed(1),
  "not asked": share(counts.useless, counts.proposals),
  "with template": share(counts.template, counts.papers),
});
