/** An extraction with what a language model needs to complete it: which values are sure, and where else in the document to look. */
import type { EvidenceRecord, EvidenceValue, Extraction, ExtractRequest } from "../engine.ts";
import type { Candidate, Place } from "./candidates.ts";
import { type Choice, choose, rank } from "./choose.ts";
import { isFormless, type Sureness, toConfidence } from "./confidence.ts";
import { answersOf } from "./extract.ts";
import { hasWords } from "./labels.ts";
import { overlapX, type PageLayout, type Segment } from "./layout.ts";
import type { Kind } from "./lexicon/concepts.ts";
import { type Query, readParams } from "./params.ts";
import { define } from "./records.ts";
import { type View, viewOf } from "./view.ts";

/** Words that may hold an answer, with those that label it and those that it may go on in. */
export interface Spot {
  /** Index of the document's pages. */
  page: number;
  /** Indices of the page's words. */
  words: number[];
}

export interface Clue {
  /** The value may be believed; or, where there is none, that there is none. */
  sure: boolean;
  /** Best first; none for lists. */
  spots: Spot[];
  /** True where the answer stands at one of the spots or nowhere: they are all places with something of its form. */
  complete: boolean;
}

export interface Survey extends Extraction {
  /** For every param. */
  clues: Record<string, Clue>;
}

/** As `extractBuiltin`, with a clue for each param. */
export function surveyBuiltin(request: Pick<ExtractRequest, "document" | "params">): Survey {
  const queries = readParams(request.params);
  const view = viewOf(request.document, queries);
  const ranked = rank(queries, view);
  const choices = choose(ranked, view);
  const extraction = answersOf(queries, choices, view);
  const clues: Survey["clues"] = {};
  for (const query of queries) {
    const candidates = ranked.find((each) => each.query === query)?.candidates ?? [];
    const clue =
      query.format === "list"
        ? { sure: isSureList(extraction.evidence[query.name] ?? null), spots: [], complete: false }
        : clueOf(query, candidates, choices.get(query), view);
    define(clues, query.name, clue);
  }
  return { ...extraction, clues };
}

/** From this confidence on a value is believed: seldom wrong, as measured on documents that the engine had not been made with. */
const sure = 0.8;
/** A text without a form may be too short or too long though its place is right. */
const sureOfFormless = 0.9;
/** A winner has to be better than another value by so much; by more where it is one of two parties' numbers of the same form. */
const clearBy = 0.2;
const clearByOfOwned = 0.3;
const owned: ReadonlySet<Kind> = new Set(["vat", "iban", "bic", "email", "phone", "url"]);
/** Totals are rounded for payment by at most so much. */
const rounding = 0.051;

/** A list is as sure as its elements are on the whole. */
function isSureList(found: EvidenceValue): boolean {
  const leaves = confidencesOf(found);
  return leaves.length > 0 && leaves.reduce((sum, each) => sum + each, 0) / leaves.length >= sure;
}

function confidencesOf(found: EvidenceValue): number[] {
  if (found === null) return [];
  if (!Array.isArray(found)) return [found.confidence];
  return found.flatMap((row: EvidenceRecord) => Object.values(row)).flatMap(confidencesOf);
}

function isSure({ kind }: Query, { candidate, sureness }: Choice, view: View): boolean {
  const confidence = toConfidence(sureness);
  if (isFormless(kind)) return confidence >= sureOfFormless;
  return confidence >= sure && isClear(kind, sureness) && !(kind === "money" && roundedOf(candidate, view).length > 0);
}

function isClear(kind: Kind, { score, runnerUp, confirmed }: Sureness): boolean {
  return confirmed || Math.min(1, score) - runnerUp >= (owned.has(kind) ? clearByOfOwned : clearBy);
}

/** Where the same amount stands but for a few cents: one of them may be rounded. */
const roundedOf = ({ value }: Candidate, view: View): Place[] =>
  view.places("money").filter(({ found }) => {
    const apart = Math.abs(Number(found.value) - Number(value));
    return found.quality >= 1 && apart > 0 && apart < rounding;
  });

/** So many values of a form are all shown; of more only the labelled ones, if there are any. */
const fewValues = 8;
const manyValues = 24;
const mostSpots = 5;
/** Of the score of the best: what is labelled so much worse is no answer. */
const minShare = 0.35;

function clueOf(query: Query, candidates: readonly Candidate[], choice: Choice | undefined, view: View): Clue {
  const places = hasForm(query.kind) ? view.places(query.kind) : [];
  const values = new Set(places.map(({ found }) => String(found.value)));
  const isRecognized = view.layout.pages.some(({ page }) => page.source === "ocr");
  const labelled = distinct(candidates, mostSpots).map((each) => spotOf(query.kind, each.segment, each.words, view));
  const most = labelled.length === 0 ? manyValues : fewValues;
  const complete = hasForm(query.kind) && !isRecognized && values.size <= most;
  const others = complete ? places : choice && query.kind === "money" ? roundedOf(choice.candidate, view) : [];
  const spots = [...labelled, ...others.flatMap((place) => unlessIn(labelled, place, query.kind, view))];
  return {
    sure: choice ? isSure(query, choice, view) : complete && spots.length === 0,
    spots: isFormless(query.kind) ? [...spots, ...headOf(query, view)] : spots,
    complete,
  };
}

const formless: ReadonlySet<Kind> = new Set(["name", "address", "text", "boolean"]);
const hasForm = (kind: Kind): boolean => !formless.has(kind);

/** The best candidate of each value. */
function distinct(candidates: readonly Candidate[], most: number): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = String(candidate.value).toLowerCase();
    if (candidate.score < minShare * (candidates[0]?.score ?? 0)) break;
    if (!best.has(key) && best.size < most) best.set(key, candidate);
  }
  return [...best.values()];
}

function unlessIn(spots: readonly Spot[], { segment, words }: Place, kind: Kind, view: View): Spot[] {
  const isThere = spots.some((spot) => spot.page === segment.page && words.every((word) => spot.words.includes(word)));
  return isThere ? [] : [spotOf(kind, segment, words, view)];
}

function spotOf(kind: Kind, segment: Segment, words: readonly number[], view: View): Spot {
  const page = view.layout.pages[segment.page] as PageLayout;
  const label = hasForm(kind) ? labelOf(page, segment, words) : undefined;
  const around = kind === "address" ? column(page, segment, 1, 4) : kind === "name" ? column(page, segment, 0, 1) : [];
  const all = [...words, ...segment.words, ...(label?.words ?? []), ...around.flatMap((each) => each.words)];
  return { page: segment.page, words: [...new Set(all)] };
}

/** What stands to the left of a value that has no words before it in its own segment, or else above it. */
function labelOf(page: PageLayout, segment: Segment, words: readonly number[]): Segment | undefined {
  const at = segment.words.indexOf(words[0] ?? -1);
  if (hasWords(segment.text.slice(0, segment.starts[at] ?? 0))) return undefined;
  const left = (page.rows[segment.row] ?? []).slice(0, segment.column).reverse();
  return left.find(({ text }) => hasWords(text)) ?? above(page, segment);
}

const mostRowsUp = 40;

function above(page: PageLayout, segment: Segment): Segment | undefined {
  for (let row = segment.row - 1; row >= Math.max(0, segment.row - mostRowsUp); row--) {
    const over = page.rows[row]?.find((other) => overlapX(other.box, segment.box) > 0 && hasWords(other.text));
    if (over) return over;
  }
  return undefined;
}

const maxGap = 1.3;

/** The segments close above and below in the same column, at most so many of each. */
function column(page: PageLayout, segment: Segment, up: number, down: number): Segment[] {
  const found: Segment[] = [];
  for (const [step, most] of [
    [-1, up],
    [1, down],
  ] as const) {
    let last = segment;
    for (let count = 0; count < most; count++) {
      const next = nextIn(page, last, step);
      if (!next) break;
      found.push(next);
      last = next;
    }
  }
  return found;
}

function nextIn(page: PageLayout, segment: Segment, step: 1 | -1): Segment | undefined {
  for (const row of [segment.row + step, segment.row + 2 * step]) {
    const next = page.rows[row]?.find((other) => overlapX(other.box, segment.box) > 0.3);
    if (!next) continue;
    const gap = step > 0 ? next.box[1] - segment.box[3] : segment.box[1] - next.box[3];
    return gap < maxGap * segment.height ? next : undefined;
  }
  return undefined;
}

/** Names stand above their addresses. */
const headRows = { name: 5, address: 9 };

/** The first rows of the document, where papers say whose they are. */
function headOf({ kind, party }: Query, { layout }: View): Spot[] {
  const [first] = layout.pages;
  if (!first || (kind !== "name" && kind !== "address") || party === "buyer" || party === "consignee") return [];
  const rows = first.rows.slice(0, headRows[kind]);
  return [{ page: 0, words: rows.flat().flatMap(({ words }) => words) }];
}
