/**
 * `npm run quality -- long-lists [SEED] [NAME]`: generates the lists of `bench/long-lists`, reads
 * them and extracts from them in this process, and compares each row with the correct one.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withDocuments } from "../../fit/papers/fitted-papers.ts";
import { isSame } from "../../fit/papers/same-value.ts";
import type { ValueRecord } from "../../server/src/engine/engine.ts";
import { extractBuiltin } from "../../server/src/engine/extract/extract-fields.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { type LongList, makeList } from "../long-lists/make-list.ts";
import { longListPlans } from "../long-lists/plans.ts";
import { printList } from "../long-lists/print-list.ts";

/** @param errors maximum number of wrong rows to print per file */
export async function runLongLists(outFolder: string, args: readonly string[], errors: number): Promise<void> {
  const [seed = "1", name = ""] = args;
  const figures: Record<string, Record<string, number | string>> = {};
  let [exact, all] = [0, 0];
  for await (const [list, document] of readLongLists(outFolder, Number(seed), name)) {
    const before = process.cpuUsage();
    const { data, lists: [ledger] = [] } = extractBuiltin({ document, params: list.params });
    const { user, system } = process.cpuUsage(before);
    const given = data.rows as ValueRecord[];
    const wrong = wrongRows(list, given);
    exact += list.truth.length - wrong.length;
    all += list.truth.length;
    figures[list.plan.name] = {
      pages: document.pages.length,
      rows: list.truth.length,
      given: given.length,
      exact: list.truth.length - wrong.length,
      unreadable: ledger?.unreadable.length ?? 0,
      doubts: ledger?.doubts.length ?? 0,
      "ms per page": Number(((user + system) / 1000 / document.pages.length).toFixed(1)),
    };
    for (const { index, row } of wrong.slice(0, errors))
      console.log(list.plan.name, index, JSON.stringify(row), "instead of", JSON.stringify(list.truth[index]));
    for (const { page, reason, quote } of [...(ledger?.unreadable ?? []), ...(ledger?.doubts ?? [])].slice(0, errors))
      console.log(list.plan.name, "page", page, reason, quote);
  }
  console.table(figures);
  console.log(`rows exact: ${exact} of ${all}, ${((100 * exact) / all).toFixed(2)} %`);
}

/**
 * Yields the lists that are generated from a seed, each with the document that was read from its
 * file. Stores the read documents in `bench/out/fit`.
 */
export async function* readLongLists(
  outFolder: string,
  seed: number,
  name: string,
): AsyncGenerator<[LongList, Document]> {
  const folder = join(outFolder, "long-lists");
  mkdirSync(folder, { recursive: true });
  const files = longListPlans(seed)
    .filter((plan) => plan.name.includes(name))
    .map((plan) => {
      const list = makeList(plan);
      return { name: `long-${plan.name}`, list, open: () => printList(list, folder) };
    });
  for await (const [{ list }, document] of withDocuments(files)) yield [list, document];
}

/**
 * Returns the correct rows that were not extracted. A row counts as extracted only if the rows are
 * in the correct order.
 */
function wrongRows({ truth, params }: LongList, given: readonly ValueRecord[]): { index: number; row: unknown }[] {
  const items = params[0]?.items ?? [];
  const wrong: { index: number; row: unknown }[] = [];
  let next = 0;
  for (const [index, expected] of truth.entries()) {
    const isRow = (row: ValueRecord): boolean =>
      items.every(({ name, format }) => isSame(row[name] ?? null, expected[name] ?? null, format));
    const found = given.slice(next, next + maxShift).findIndex(isRow);
    if (found < 0) wrong.push({ index, row: given[next] });
    next += found < 0 ? 1 : found + 1;
  }
  return wrong;
}

/**
 * Number of extracted rows among which the next correct row is looked for. Large, because many
 * wrong rows may come before a correct row.
 */
const maxShift = 40;
