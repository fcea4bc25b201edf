/**
 * `npm run quality -- list-damages [SEED]`: measures whether lost and damaged rows of a list are
 * reported. Damages rows of the long lists after reading and before extraction. A damage counts as
 * detected if the extraction reports a doubtful or unreadable line near it. Also counts such
 * reports for undamaged lists.
 */
import { mulberry32 } from "../../fit/random.ts";
import type { Evidence, ListLine, ValueRecord } from "../../server/src/engine/engine.ts";
import { leavesOf } from "../../server/src/engine/engine.ts";
import { extractBuiltin } from "../../server/src/engine/extract/extract-fields.ts";
import { wordsIn } from "../../server/src/engine/page/make-evidence.ts";
import type { Document, Page } from "../../server/src/reading/document.ts";
import { readLongLists } from "./long-lists.ts";

/** Number of damages of each kind, over all files. */
const damagesPerKind = 100;
/** Maximum number of damages per extraction. Low, so that most rows of a list stay intact. */
const perRun = 4;
/** Maximum distance, in rows, between a damaged row and a report that counts as detecting it. */
const reach = 2;

/**
 * Damages row `at` of the rows on one page. Returns false if this kind of damage is not possible
 * for this row.
 */
type Damage = (page: Page, rows: readonly Leaves[], at: number, random: () => number) => boolean;

/** Indexes of the words in each filled cell of a row, from left to right. */
type Leaves = readonly (readonly number[])[];

const damages: Record<string, Damage> = {
  "row missing": (page, rows, at) => {
    for (const word of (rows[at] ?? []).flat()) blank(page, word);
    return true;
  },
  "row missing, closed up": (page, rows, at) => {
    const [row, next] = [rows[at]?.flat() ?? [], rows[at + 1]?.flat() ?? []];
    const [top, shift] = [topOf(page, row), topOf(page, next) - topOf(page, row)];
    for (const word of row) blank(page, word);
    for (const [word, { box }] of page.words.entries()) if (box[1] > top + shift / 2) move(page, word, 0, -shift);
    return true;
  },
  "row doubled over the next": (page, rows, at) => {
    const [row, next] = [rows[at], rows[at + 1]];
    if (!row || !next || row.length !== next.length) return false;
    for (const [column, cell] of next.entries()) copyCell(page, row[column] ?? [], cell);
    return true;
  },
  "two rows merged": (page, rows, at) => {
    const [row, next] = [rows[at], rows[at + 1]];
    if (!row || !next) return false;
    const shift = topOf(page, row.flat()) - topOf(page, next.flat());
    for (const cell of next) {
      for (const word of cell) move(page, word, 0, shift);
      const partner = row.find((other) => overlaps(page, other, cell));
      joinCells(page, partner?.[0], cell);
    }
    return true;
  },
  "cell swallowed": (page, rows, at, random) => {
    const row = rows[at] ?? [];
    const cell = row[Math.floor(random() * row.length)];
    if (!cell || row.length < 3) return false;
    for (const word of cell) blank(page, word);
    return true;
  },
  "words shifted": (page, rows, at) => {
    const row = rows[at] ?? [];
    if (row.length < 4) return false;
    const [first, second] = [row.at(-1) ?? [], row.at(-2) ?? []];
    const shift = leftOf(page, first) - leftOf(page, second);
    for (const word of first) blank(page, word);
    for (const word of second) move(page, word, shift, 0);
    joinCells(page, first[0], second);
    return true;
  },
};

export async function runListDamages(outFolder: string, args: readonly string[], errors: number): Promise<void> {
  const random = mulberry32(7);
  const kinds = Object.keys(damages);
  const figures = Object.fromEntries(kinds.map((kind) => [kind, { damages: 0, flagged: 0, share: "" }]));
  const lists: [string, Parameters<typeof extractBuiltin>[0]][] = [];
  for await (const [list, document] of readLongLists(outFolder, Number(args[0] ?? 1), ""))
    if (list.plan.output === "pdf") lists.push([list.plan.name, { document, params: list.params }]);
  let [flags, rows] = [0, 0];
  const known = lists.map(([name, request]) => {
    const { data, evidence, lists: [ledger] = [] } = extractBuiltin(request);
    rows += (data.rows as ValueRecord[]).length;
    flags += (ledger?.doubts.length ?? 0) + (ledger?.unreadable.length ?? 0);
    const leaves = (Array.isArray(evidence.rows) ? evidence.rows : []).map((row) =>
      Object.values(row).flatMap(leavesOf),
    );
    return { name, request, leaves };
  });
  for (let turn = 0; kinds.some((kind) => (figures[kind]?.damages ?? 0) < damagesPerKind); turn++) {
    const kind = kinds[turn % kinds.length] ?? "";
    const { name, request, leaves } = known[Math.floor(turn / kinds.length) % known.length] ?? {};
    const figure = figures[kind];
    if (!request || !leaves || !figure || figure.damages >= damagesPerKind) continue;
    const planted = plant(request.document, leaves, damages[kind] as Damage, random);
    const { lists: [ledger] = [] } = extractBuiltin({ ...request, document: planted.document });
    const listed = [...(ledger?.doubts ?? []), ...(ledger?.unreadable ?? [])];
    for (const place of planted.places.slice(0, damagesPerKind - figure.damages)) {
      const isFlagged = listed.some((line) => isNear(line, place, planted.pitch));
      figure.damages++;
      figure.flagged += Number(isFlagged);
      if (!isFlagged && errors > 0) console.log(kind, name, "page", place.page, "y", Math.round(place.y));
    }
  }
  for (const figure of Object.values(figures))
    figure.share = `${((100 * figure.flagged) / figure.damages).toFixed(0)} %`;
  console.table(figures);
  const sum = (key: "damages" | "flagged"): number =>
    Object.values(figures).reduce((total, figure) => total + figure[key], 0);
  console.log(`flagged: ${sum("flagged")} of ${sum("damages")}; flags of undamaged lists: ${flags} in ${rows} rows`);
}

interface Planted {
  document: Document;
  places: { page: number; y: number }[];
  /** Median distance between rows, in points. */
  pitch: number;
}

function plant(original: Document, rows: readonly Evidence[][], damage: Damage, random: () => number): Planted {
  const document = structuredClone(original);
  const planted: Planted = { document, places: [], pitch: 0 };
  const tops = rows.map((leaves) => Math.min(...leaves.flatMap(({ boxes }) => boxes.map((box) => box[1]))));
  const steps = tops.map((top, at) => top - (tops[at - 1] ?? top)).filter((step) => step > 0);
  planted.pitch = steps.sort((a, b) => a - b)[steps.length >> 1] ?? 20;
  for (let turn = 0; turn < perRun; turn++) {
    // Chooses rows that are far from each other and from both ends of the list.
    const from = Math.floor(((turn + 0.2) / perRun) * rows.length);
    const at = from + Math.floor((random() * 0.6 * rows.length) / perRun);
    const pageOf = (index: number): number | undefined => rows[index]?.[0]?.page;
    const number = pageOf(at);
    const page = document.pages.find((each) => each.number === number);
    if (!page || pageOf(at + 1) !== number || pageOf(at - 1) !== number) continue;
    const cells = rows.map((leaves) =>
      leaves[0]?.page === number
        ? leaves.map(({ boxes }) => wordsIn(page, boxes)).sort((a, b) => leftOf(page, a) - leftOf(page, b))
        : [],
    );
    if (damage(page, cells, at, random)) planted.places.push({ page: page.number, y: tops[at] ?? 0 });
  }
  return planted;
}

/**
 * Returns true if a reported line is so close to the damage that the report counts as detecting it.
 * A wrong sum counts if it is reported on the same page, or on the next page, where the sum may be
 * printed.
 */
const isNear = (line: ListLine, { page, y }: Planted["places"][number], pitch: number): boolean =>
  line.reason === "sum_mismatch"
    ? line.page === page || line.page === page + 1
    : line.page === page && Math.abs((line.boxes[0]?.[1] ?? 0) - y) < (reach + 0.5) * Math.max(pitch, minPitch);

/**
 * Lower bound for the distance between rows, in points. Used in place of a smaller measured
 * distance.
 */
const minPitch = 20;

const topOf = (page: Page, words: readonly number[]): number =>
  Math.min(...words.map((word) => page.words[word]?.box[1] ?? 0));
const leftOf = (page: Page, words: readonly number[]): number =>
  Math.min(...words.map((word) => page.words[word]?.box[0] ?? 0));

function overlaps(page: Page, a: readonly number[], b: readonly number[]): boolean {
  const right = (words: readonly number[]): number => Math.max(...words.map((word) => page.words[word]?.box[2] ?? 0));
  return leftOf(page, a) < right(b) && leftOf(page, b) < right(a);
}

function blank(page: Page, word: number): void {
  const known = page.words[word];
  if (known) page.words[word] = { ...known, text: "" };
  for (const table of page.tables)
    for (const cell of table.cells)
      if (cell.words.includes(word)) cell.words = cell.words.filter((other) => other !== word);
}

function move(page: Page, word: number, dx: number, dy: number): void {
  const known = page.words[word];
  if (!known) return;
  const [x0, y0, x1, y1] = known.box;
  page.words[word] = { ...known, box: [x0 + dx, y0 + dy, x1 + dx, y1 + dy] };
}

/** Replaces the text of the cell `to` with that of the cell `from`. */
function copyCell(page: Page, from: readonly number[], to: readonly number[]): void {
  const text = from.map((word) => page.words[word]?.text ?? "").join(" ");
  for (const [at, word] of to.entries()) {
    const known = page.words[word];
    if (known && at === 0) page.words[word] = { ...known, text };
    else blank(page, word);
  }
}

/** Moves words into the table cell of another word. */
function joinCells(page: Page, target: number | undefined, words: readonly number[]): void {
  for (const table of page.tables) {
    const own = table.cells.find((cell) => cell.words.some((word) => words.includes(word)));
    const other = target === undefined ? undefined : table.cells.find((cell) => cell.words.includes(target));
    if (!own || !other || own === other) continue;
    own.words = own.words.filter((word) => !words.includes(word));
    other.words = [...other.words, ...words].sort((a, b) => a - b);
  }
}
