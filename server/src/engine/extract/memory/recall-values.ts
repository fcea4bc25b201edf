/**
 * Applies what an extractor has learned to the result of an extraction. If no learned document has
 * the same layout as the current document, nothing changes.
 */
import { isDeepStrictEqual } from "node:util";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../../reading/document.ts";
import type { Evidence, EvidenceRecord, Extraction, LeafValue, RecalledField, ValueRecord } from "../../engine.ts";
import type { LearnedPaper } from "../../memory.ts";
import { pageAsScanned } from "../../page/deskew.ts";
import { makeEvidence, wordsIn } from "../../page/make-evidence.ts";
import { define } from "../../values/define-member.ts";
import { hasKnownLabel } from "./describe-anchor.ts";
import { type MemoryView, memoryViewOf } from "./memory-view.ts";
import { type ReadRow, readList } from "./read-list.ts";
import { isSameValue } from "./readings.ts";
import { type Proposal, proposalsOf, type SimilarPaper, similarPapers } from "./similar-papers.ts";
import { keyOf } from "./text-keys.ts";

/** Returns the extraction after replacing the values for which the memory is more reliable. */
export function recallValues<Result extends Extraction>(
  document: Document,
  params: readonly ExtractionParam[],
  memory: readonly LearnedPaper[],
  extraction: Result,
): Result {
  if (memory.length === 0) return extraction;
  const view = memoryViewOf(document);
  const papers = similarPapers(view, memory);
  if (papers.length === 0) return extraction;
  const data: ValueRecord = { ...extraction.data };
  const evidence: EvidenceRecord = { ...extraction.evidence };
  const trust = trustOf(papers);
  const proposals = papers.flatMap((paper, order) =>
    proposalsOf(paper, view).map((proposal) => ({
      ...proposal,
      paper: paper.id,
      weight: proposal.score * trust(paper.id, proposal.field) * (1 + recency * order) * paper.likeness.share,
    })),
  );
  const remembered = new Set<string>();
  const recalled: RecalledField[] = [];
  for (const param of params) {
    if (param.format === "list") {
      const before = data[param.name] ?? [];
      const paper = recallList(param, papers, view, data, evidence);
      if (paper === undefined) continue;
      remembered.add(param.name);
      if (!isDeepStrictEqual(data[param.name], before)) recalled.push({ field: param.name, paper });
      continue;
    }
    const own = proposals.filter(({ field }) => field === param.name);
    const chosen = chosenOf(own);
    const before = (data[param.name] ?? null) as LeafValue;
    const found = evidence[param.name];
    const ownEvidence = found && !Array.isArray(found) ? found : null;
    const isKnown = papers.some(({ anchors }) => Object.hasOwn(anchors.fields, param.name));
    if (!isKnown || !chosen || !fits(chosen.value, param.format)) continue;
    if (chosen.value === null) {
      // The learned documents have no value for this field. The extracted value is dropped only if
      // its label also occurs in those documents.
      if (before === null || !ownEvidence || !isAtKnownLabel(ownEvidence, papers, view)) continue;
      define(data, param.name, null);
      define(evidence, param.name, null);
      remembered.add(param.name);
      recalled.push({ field: param.name, paper: chosen.paper });
      continue;
    }
    const made = evidenceOf(chosen, view);
    if (!made) continue;
    const isSame = isSameValue(before, chosen.value);
    define(data, param.name, isSame ? before : chosen.value);
    define(evidence, param.name, isSame && ownEvidence ? withConfidence(ownEvidence, made.confidence) : made);
    remembered.add(param.name);
    if (!isSame) recalled.push({ field: param.name, paper: chosen.paper });
  }
  const usedMemory = papers.map(({ id }) => id);
  return { ...extraction, data, evidence, remembered: [...remembered], recalled, usedMemory };
}

/**
 * Returns false if the value does not have the field's format. The format may have changed since
 * the document was learned.
 */
function fits(value: LeafValue, format: ExtractionParam["format"]): boolean {
  if (value === null) return true;
  return typeof value === (format === "number" || format === "boolean" ? format : "string");
}

const withConfidence = (evidence: Evidence, confidence: number): Evidence => ({
  ...evidence,
  confidence: Math.max(evidence.confidence, confidence),
});

/**
 * Additional weight of each learned document compared with the one learned before it. A newer
 * document outweighs one older document, but not two.
 */
const recency = 0.2;

/**
 * Returns a function that says how far a learned document is trusted for a field, 0 to 1. It uses
 * the checks between this document and the other learned documents of the same layout. A check says
 * whether the anchors of the earlier document find the correct value of the field in the later one.
 */
function trustOf(papers: readonly SimilarPaper[]): (id: string, field: string) => number {
  return (id, field) => {
    let agree = 0;
    let differ = 0;
    const count = (outcome: boolean | undefined): void => {
      if (outcome === true) agree++;
      if (outcome === false) differ++;
    };
    for (const paper of papers) {
      if (paper.id !== id) count(paper.anchors.checks[id]?.[field]);
      else
        for (const [other, outcome] of Object.entries(paper.anchors.checks))
          if (papers.some((each) => each.id === other)) count(outcome[field]);
    }
    return (1 + agree) / (1 + agree + differ);
  };
}

type Weighted = Proposal & { paper: string; weight: number };
type Chosen = Weighted & { share: number };

/** Returns the proposed value whose proposals have the greatest total weight. */
function chosenOf(proposals: readonly Weighted[]): Chosen | undefined {
  const groups = Map.groupBy(proposals, ({ value }) => (typeof value === "string" ? keyOf(value) : String(value)));
  const sums = [...groups.values()].map((group) => ({
    group,
    sum: group.reduce((sum, { weight }) => sum + weight, 0),
  }));
  const [best] = sums.sort((a, b) => b.sum - a.sum);
  const [first] = (best?.group ?? []).toSorted((a, b) => b.weight - a.weight);
  const all = sums.reduce((sum, each) => sum + each.sum, 0);
  return best && first ? { ...first, share: best.sum / all } : undefined;
}

/**
 * Confidence of a value whose position agrees fully with the learned one. Chosen by hand, 2026-11,
 * not calibrated.
 */
const mostConfidence = 0.97;

function evidenceOf({ value, match, score, share }: Chosen, view: MemoryView): Evidence | undefined {
  const page = match && view.layout.pages[match.page.index]?.page;
  if (!match || !page) return undefined;
  const confidence = Math.round(1000 * mostConfidence * Math.min(1, 0.5 + score / 2) * (0.5 + share / 2)) / 1000;
  return makeEvidence(page, match.words, value, confidence, match.inferred);
}

/**
 * Returns true if the value has no label, or has a label that occurs in the learned documents too.
 */
function isAtKnownLabel({ page: number, boxes }: Evidence, papers: readonly SimilarPaper[], view: MemoryView): boolean {
  const page = view.pages.find((each) => each.runs.page.number === number);
  if (!page) return false;
  const words = wordsIn(pageAsScanned(page.runs.page), boxes);
  const texts = new Set(papers.flatMap(({ skeleton }) => skeleton.map(({ hash }) => hash)));
  return hasKnownLabel(page, words, { texts });
}

/**
 * Reads a list by learned columns. Returns the id of the learned document whose columns were used;
 * undefined if no columns fit.
 */
function recallList(
  { name, items = [] }: ExtractionParam,
  papers: readonly SimilarPaper[],
  view: MemoryView,
  data: ValueRecord,
  evidence: EvidenceRecord,
): string | undefined {
  for (const { id, anchors } of papers.toReversed()) {
    const learned = Object.hasOwn(anchors.fields, name) ? anchors.fields[name] : undefined;
    if (!learned || !("list" in learned)) continue;
    const rows = readList(learned.list, view);
    if (!rows || rows.length === 0) continue;
    define(
      data,
      name,
      rows.map((row) => valuesOfRow(row, items)),
    );
    define(
      evidence,
      name,
      rows.map((row) => evidenceOfRow(row, items, view)),
    );
    return id;
  }
  return undefined;
}

function valuesOfRow(row: ReadRow, items: readonly ExtractionParam[]): ValueRecord {
  const values: ValueRecord = {};
  for (const item of items) define(values, item.name, row.get(item.name)?.value ?? null);
  return values;
}

/** Confidence of a cell that is read by learned columns. Chosen by hand, 2026-11. */
const cellConfidence = 0.93;

function evidenceOfRow(row: ReadRow, items: readonly ExtractionParam[], view: MemoryView): EvidenceRecord {
  const found: EvidenceRecord = {};
  for (const item of items) {
    const cell = row.get(item.name);
    const page = cell && view.layout.pages[cell.page.index]?.page;
    const made = cell && page ? makeEvidence(page, cell.words, cell.value, cellConfidence, false) : undefined;
    define(found, item.name, made ?? null);
  }
  return found;
}
