/** Scores of two configurations against the truth, per field and overall. */
import type { EvaluationJson } from "@sheaf/contract/evaluation.ts";
import { escapePointer } from "@sheaf/contract/issues.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { ChangedCellJson, ScoreJson } from "@sheaf/contract/scores.ts";
import type { LeafValue, ValueRecord } from "../../engine/engine.ts";
import { type Cell, cellsOf, isSame } from "./cells.ts";

/** A document with its correct values. */
export interface Judged {
  extraction_id?: string;
  filename: string;
  truth: ValueRecord;
  /** Paths of the fields that the truth contains. */
  known: ReadonlySet<string>;
}

type Counts = Omit<ScoreJson, "f1">;

/** Adds up the results of two configurations. */
export class Scores {
  readonly #fields = new Map<string, { before: Counts; after: Counts }>();
  readonly #known = new Set<string>();
  readonly #worse: ChangedCellJson[] = [];
  readonly #others: ChangedCellJson[] = [];
  #worseCount = 0;
  #otherCount = 0;
  documents = 0;

  add({ truth, known, ...file }: Judged, before: ValueRecord, after: ValueRecord): void {
    this.documents++;
    const isKnown = (field: string) => known.has(field);
    for (const field of known) this.#known.add(field);
    const cells = new Map<string, { before: Cell | undefined; after: Cell | undefined }>();
    for (const cell of cellsOf(truth, before, isKnown)) cells.set(cell.path, { before: cell, after: undefined });
    for (const cell of cellsOf(truth, after, isKnown))
      cells.set(cell.path, { before: cells.get(cell.path)?.before, after: cell });
    for (const [path, pair] of cells) this.#count(file, path, pair);
  }

  #count(
    file: Pick<Judged, "extraction_id" | "filename">,
    path: string,
    { before, after }: { before: Cell | undefined; after: Cell | undefined },
  ): void {
    const [{ field, truth } = { field: path, truth: null }, was, is] = [
      before ?? after,
      before?.given ?? null,
      after?.given ?? null,
    ];
    const counts = this.#countsOf(field);
    tally(counts.before, truth, was);
    tally(counts.after, truth, is);
    if (isSame(was, is)) return;
    const change = { ...file, path, before: shown(was), after: shown(is), truth: shown(truth) };
    const isWorse = isSame(was, truth) || (was === null && !isSame(is, truth));
    if (isWorse) this.#worseCount++;
    else this.#otherCount++;
    const list = isWorse ? this.#worse : this.#others;
    if (list.length < limits.maxChangedCells) list.push(change);
  }

  #countsOf(field: string) {
    const none = () => ({ right: 0, wrong: 0, missing: 0 });
    const counts = this.#fields.get(field) ?? { before: none(), after: none() };
    this.#fields.set(field, counts);
    return counts;
  }

  /**
   * Returns the values that the proposed configuration makes wrong, at most
   * `limits.maxChangedCells`.
   */
  get worse(): ChangedCellJson[] {
    return this.#worse;
  }

  /** @param proposed the fields of the proposed configuration */
  result(proposed: readonly ExtractionParam[]): Omit<EvaluationJson, "reviewed" | "duration" | "tokens_consumed"> {
    const fields = [...this.#fields].map(([path, { before, after }]) => ({
      path,
      before: scoreOf(before),
      after: scoreOf(after),
    }));
    const changes = [...this.#worse, ...this.#others].slice(0, limits.maxChangedCells);
    return {
      documents: this.documents,
      before: scoreOf(sum(fields.map(({ before }) => before))),
      after: scoreOf(sum(fields.map(({ after }) => after))),
      fields,
      lost: fields.filter(loses).map(({ path }) => path),
      without_truth: [...fieldPaths(proposed)].filter((path) => !this.#known.has(path)),
      changes,
      changes_left_off: this.#worseCount + this.#otherCount - changes.length,
    };
  }
}

function tally(counts: Counts, truth: LeafValue, given: LeafValue): void {
  const isRight = given !== null && truth !== null && isSame(given, truth);
  if (isRight) counts.right++;
  if (given !== null && !isRight) counts.wrong++;
  if (truth !== null && !isRight) counts.missing++;
}

function scoreOf({ right, wrong, missing }: Counts): ScoreJson {
  const all = 2 * right + wrong + missing;
  return { f1: all === 0 ? null : (2 * right) / all, right, wrong, missing };
}

const sum = (all: readonly Counts[]): Counts => ({
  right: all.reduce((total, { right }) => total + right, 0),
  wrong: all.reduce((total, { wrong }) => total + wrong, 0),
  missing: all.reduce((total, { missing }) => total + missing, 0),
});

/**
 * Returns whether a field becomes worse. If there is nothing to find and nothing was found, the
 * field counts as perfect (F1 = 1).
 */
function loses({ before, after }: { before: ScoreJson; after: ScoreJson }): boolean {
  const [was, is] = [before.f1 ?? 1, after.f1 ?? 1];
  return is < was || (is === was && after.wrong > before.wrong);
}

const shown = (value: LeafValue): LeafValue =>
  typeof value === "string" && value.length > limits.changedTextMaxLength
    ? `${value.slice(0, limits.changedTextMaxLength).toWellFormed()}…`
    : value;

/** Returns the paths of all fields, including lists and their items. */
export function fieldPaths(params: readonly ExtractionParam[], parent = ""): Set<string> {
  const paths = new Set<string>();
  for (const { name, items = [] } of params) {
    const path = `${parent}/${escapePointer(name)}`;
    paths.add(path);
    for (const inner of fieldPaths(items, path)) paths.add(inner);
  }
  return paths;
}
