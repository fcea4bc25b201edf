/**
 * Creates the training examples for the forest (the decision trees that rank values): fields of
 * documents whose correct values are known, with all candidate values.
 */
import type { ParamFormat } from "@sheaf/contract/params.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";
import { readAskedFields } from "../../server/src/engine/extract/labels/asked-fields.ts";
import { partyViewOf } from "../../server/src/engine/extract/parties/party-view.ts";
import { rankByRules } from "../../server/src/engine/extract/ranking/rank-by-rules.ts";
import { describeValues, isRankedByForest } from "../../server/src/engine/extract/ranking/rank-values.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { type FittedPaper, readFittedPapers, withDocuments } from "../papers/fitted-papers.ts";
import { isSame } from "../papers/same-value.ts";
import { mulberry32 } from "../random.ts";

/** A field of a document, with its candidate values. */
export interface Example {
  paper: string;
  author: string;
  kind: string;
  language: string;
  field: string;
  format: ParamFormat;
  /** True if the document does not have a value for this field. */
  isNull: boolean;
  /** True if the field belongs to documents of another kind. */
  isOfOtherKind: boolean;
  values: readonly JudgedValue[];
}

/** A candidate value with its features. It does not reference the document, to save memory. */
interface JudgedValue {
  value: LeafValue;
  row: Float32Array;
  right: boolean;
}

export async function readExamples(): Promise<Example[]> {
  const papers = readFittedPapers();
  // Uses one random generator per author, so that adding an author does not change the examples of
  // others.
  const randoms = new Map(papers.map(({ author }) => [author, mulberry32(3)]));
  const examples: Example[] = [];
  for await (const [paper, document] of withDocuments(papers)) {
    examples.push(...examplesOf(paper, document, false));
    const random = randoms.get(paper.author) ?? mulberry32(3);
    examples.push(...examplesOf(withFieldsOfOtherKinds(paper, papers, random), document, true));
  }
  return examples;
}

/** Number of fields of other kinds that each document is also asked for. */
const fieldsOfOtherKinds = 6;

/**
 * Returns the document with fields of other kinds of documents instead of its own: an invoice with
 * fields of a payslip, for example. It hardly ever has values for them, so the forest learns when
 * to choose none.
 */
function withFieldsOfOtherKinds(paper: FittedPaper, papers: readonly FittedPaper[], random: () => number): FittedPaper {
  const others = papers.filter(({ kind, author }) => kind !== paper.kind && author === paper.author);
  const params = Array.from({ length: fieldsOfOtherKinds }, () => {
    const other = others[Math.floor(random() * others.length)];
    const singles = other?.params.filter(({ format }) => format !== "list") ?? [];
    return singles[Math.floor(random() * singles.length)];
  }).filter((param) => param !== undefined);
  return { ...paper, params, fields: new Map(params.map(({ name }) => [name, [null]])) };
}

function examplesOf(paper: FittedPaper, document: Document, isOfOtherKind: boolean): Example[] {
  const asked = readAskedFields(paper.params);
  const view = partyViewOf(document, asked);
  return describeValues(rankByRules(asked, view), view).flatMap(({ query, values }): Example[] => {
    const right = paper.fields.get(query.name);
    if (right === undefined || !isRankedByForest(query)) return [];
    const isNull = right[0] === null;
    const judged = values.map(({ value: { value }, row }) => ({
      value,
      row,
      right: !isNull && right.some((expected) => isSame(value, expected, query.format)),
    }));
    const { name, author, kind, language } = paper;
    const field = { field: query.name, format: query.format, isNull, isOfOtherKind };
    return [{ paper: name, author, kind, language, ...field, values: judged }];
  });
}
