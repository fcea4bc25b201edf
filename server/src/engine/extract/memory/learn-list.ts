/** Learns the columns of a list from rows whose values are known. */
import type { Box } from "../../../reading/document.ts";
import type { LearnedFact } from "../../memory.ts";
import { overlapShare, type TextRun, unionOf, wordAt } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { linesOf } from "./describe-anchor.ts";
import type { LearnedColumn, LearnedList } from "./learned.ts";
import type { LocatedRow } from "./locate-rows.ts";
import type { Located } from "./locate-values.ts";
import type { MemoryPage } from "./memory-view.ts";
import { textOf } from "./readings.ts";
import { medianOf, scaled } from "./skeleton.ts";
import { hashOf, labelKeyOf } from "./text-keys.ts";

/** Maximum number of rows above the first item that are searched for headings. */
const maxHeadRows = 3;
/** Maximum number of texts below the list that are stored to recognize the end of the list. */
const maxEnds = 6;

export function learnList(
  field: AskedField,
  rows: readonly LocatedRow[],
): { list: LearnedList; facts: LearnedFact[] } | undefined {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return undefined;
  const asked = field.items.flatMap((item) => {
    const cells = rows.flatMap((row) => {
      const cell = row.cells.get(item);
      return cell ? [{ row, cell }] : [];
    });
    return cells.length > 0 ? [columnOfCells(item, cells, rows.length)] : [];
  });
  groupColumns(field, asked, rows);
  const heads = headsOf(first, asked);
  const columns = [
    ...asked.map((column) => withHeading(column, heads)),
    ...othersOf(asked, heads),
    ...othersInRows(asked, rows),
  ];
  const facts = asked.map((column): LearnedFact => {
    const head = headingFor(column, heads);
    return { field: field.name, item: column.item ?? "", rule: "column", label: head?.text.slice(0, 60) ?? "" };
  });
  return {
    list: { columns, ends: endsBelow(rows, last), start: startAbove(first), skips: hasLinesBetween(rows) },
    facts,
  };
}

type Cell = { row: LocatedRow; cell: Located };

function columnOfCells(item: AskedField, cells: readonly Cell[], count: number): LearnedColumn {
  const boxes = cells.map(({ cell }) => boxOfCell(cell));
  const lefts = boxes.map((box) => box[0]);
  const rights = boxes.map((box) => box[2]);
  const spread = (numbers: readonly number[]): number => Math.max(...numbers) - Math.min(...numbers);
  const line = medianOf(cells.map(({ row, cell }) => rowOf(cell) - row.row));
  const isRight =
    spread(rights) < spread(lefts) || (spread(rights) === spread(lefts) && cells[0]?.cell.reading === "number");
  const skips = cells.map(({ cell, row }) => skipped(cell, row));
  const readings = Map.groupBy(cells, ({ cell }) => cell.reading);
  const [reading = "text"] = [...readings].sort((a, b) => b[1].length - a[1].length)[0] ?? [];
  return {
    item: item.name,
    heading: "",
    left: Math.min(...lefts),
    right: Math.max(...rights),
    align: isRight ? "right" : "left",
    line,
    reading,
    group: -1,
    skipFirst: Math.min(...skips.map(([before]) => before)),
    skipLast: Math.min(...skips.map(([, behind]) => behind)),
    key: cells.length === count && line === 0,
    wraps: cells.some(({ cell }) => linesOf(cell.page, cell.words).length > 1),
  };
}

/** Assigns columns to the same group if their values are mostly in the same text runs. */
function groupColumns(field: AskedField, columns: readonly LearnedColumn[], rows: readonly LocatedRow[]): void {
  const runOf = (row: LocatedRow, name: string | undefined): TextRun | undefined => {
    const item = field.items.find((each) => each.name === name);
    const cell = item && row.cells.get(item);
    return cell?.page.runOf.get(cell.words[0] ?? -1);
  };
  for (const [at, column] of columns.entries()) {
    const same = columns.slice(0, at).find((other) => {
      const both = rows.filter((row) => runOf(row, column.item) && runOf(row, other.item));
      const shared = both.filter((row) => runOf(row, column.item) === runOf(row, other.item));
      const isApart = other.right < column.left || column.right < other.left;
      return !isApart && 2 * shared.length > both.length;
    });
    column.group = same?.group ?? at;
  }
}

const boxOfCell = ({ page, words }: Located): Box =>
  scaled(page.runs, words.map((word) => wordAt(page.runs.page, word).box).reduce(unionOf));

const rowOf = ({ page, words }: Located): number => page.runOf.get(words[0] ?? -1)?.row ?? -1;

/**
 * Returns how many words of the text run precede the value and how many follow it. Words beyond the
 * nearest value of another column are not counted.
 */
function skipped(cell: Located, { cells }: LocatedRow): [before: number, behind: number] {
  const { page, words } = cell;
  const first = page.runOf.get(words[0] ?? -1);
  const last = page.runOf.get(words.at(-1) ?? -1);
  if (!first || !last) return [0, 0];
  const others = [...cells.values()].filter((other) => other !== cell).flatMap((other) => other.words);
  const before = first.words.slice(0, first.words.indexOf(words[0] ?? -1));
  const behind = last.words.slice(last.words.indexOf(words.at(-1) ?? -1) + 1);
  const next = behind.findIndex((word) => others.includes(word));
  return [before.length - 1 - before.findLastIndex((word) => others.includes(word)), next < 0 ? behind.length : next];
}

/**
 * A heading consists of words of one text run. A run above several columns is split into several
 * headings.
 */
interface Heading {
  text: string;
  hash: string;
  box: Box;
}

/** Returns the headings in the rows directly above the first item. */
function headsOf({ page, row }: LocatedRow, columns: readonly LearnedColumn[]): Heading[] {
  const heads: Heading[] = [];
  const needed = Math.min(2, columns.length);
  for (let above = row - 1; above >= Math.max(0, row - maxHeadRows); above--) {
    const own = (page.runs.rows[above] ?? []).flatMap((run) => headingsIn(page, run, columns));
    const over = columns.filter((column) => own.some(({ box }) => isOver(box, column)));
    // The search goes upwards. It first looks for a row of headings that covers at least two
    // columns. Rows above that row may belong to the same headings.
    if (over.length < needed && heads.length === 0) continue;
    if (over.length < needed || own.some(({ text }) => /\d/.test(text))) break;
    heads.push(...own);
  }
  return heads;
}

/** Splits the words of a run into headings. A new heading begins where a column begins. */
function headingsIn(page: MemoryPage, run: TextRun, columns: readonly LearnedColumn[]): Heading[] {
  const groups: number[][] = [];
  for (const word of run.words) {
    const [left] = scaled(page.runs, wordAt(page.runs.page, word).box);
    const begins = columns.some((column) => column.align === "left" && Math.abs(column.left - left) < maxEdge);
    const last = groups.at(-1);
    if (last && !begins) last.push(word);
    else groups.push([word]);
  }
  return groups.flatMap((words) => {
    const text = textOf(page.runs, words);
    const key = labelKeyOf(text);
    const box = words.map((word) => wordAt(page.runs.page, word).box).reduce(unionOf);
    return key === "" ? [] : [{ text, hash: hashOf(key), box: scaled(page.runs, box) }];
  });
}

/**
 * Maximum distance of a heading from the edge of its column, in thousandths of the page's width.
 */
const maxEdge = 8;
/**
 * Minimum horizontal overlap of a column and its heading, as a share (0 to 1) of the narrower one.
 */
const minOverlap = 0.2;

const bandOf = ({ left, right }: LearnedColumn): Box => [left, 0, right, 1];
const isOver = (box: Box, column: LearnedColumn): boolean => overlapShare(box, bandOf(column)) > minOverlap;

/**
 * Returns the nearest heading above the column. The distance is measured between edges or between
 * centres, whichever is smaller.
 */
function headingFor(column: LearnedColumn, heads: readonly Heading[]): Heading | undefined {
  const distance = ({ box }: Heading): number => {
    const edge = column.align === "left" ? Math.abs(box[0] - column.left) : Math.abs(box[2] - column.right);
    return Math.min(edge, Math.abs((box[0] + box[2] - column.left - column.right) / 2));
  };
  return heads
    .filter((head) => isOver(head.box, column) || distance(head) < maxEdge)
    .reduce<Heading | undefined>((a, b) => (a && distance(a) <= distance(b) ? a : b), undefined);
}

function withHeading(column: LearnedColumn, heads: readonly Heading[]): LearnedColumn {
  const head = headingFor(column, heads);
  return head ? { ...column, heading: head.hash, headingBox: head.box } : column;
}

/**
 * Returns the columns that have a heading but no item field. They are learned too, because
 * otherwise their texts would be assigned to other columns.
 */
function othersOf(asked: readonly LearnedColumn[], heads: readonly Heading[]): LearnedColumn[] {
  const used = new Set(asked.map((column) => headingFor(column, heads)));
  return heads
    .filter((head) => !used.has(head))
    .map(({ hash, box }, at) => {
      const group = asked.length + at;
      const rest = { group, line: 0, reading: "text", skipFirst: 0, skipLast: 0, key: false, wraps: false } as const;
      return { heading: hash, headingBox: box, left: box[0], right: box[2], align: "left", ...rest };
    });
}

/** Returns the columns that have neither a heading nor an item field. */
function othersInRows(asked: readonly LearnedColumn[], rows: readonly LocatedRow[]): LearnedColumn[] {
  const bands: [left: number, right: number][] = [];
  for (const { page, row, cells } of rows) {
    const own = new Set([...cells.values()].flatMap(({ words }) => words));
    for (const run of page.runs.rows[row] ?? []) {
      const [left, , right] = scaled(page.runs, run.box);
      if (run.words.some((word) => own.has(word)) || asked.some((column) => isOver([left, 0, right, 1], column)))
        continue;
      const band = bands.find((other) => other[0] < right && left < other[1]);
      if (!band) bands.push([left, right]);
      else [band[0], band[1]] = [Math.min(band[0], left), Math.max(band[1], right)];
    }
  }
  return bands.map(([left, right], at) => {
    const rest = { line: 0, reading: "text", skipFirst: 0, skipLast: 0, key: false, wraps: false } as const;
    return { heading: "", left, right, align: "left", group: -2 - at, ...rest };
  });
}

/**
 * Returns the hashes of the first text of each row below the last item. Texts that also occur in
 * items are left out.
 */
function endsBelow(rows: readonly LocatedRow[], { page, cells }: LocatedRow): string[] {
  const last = Math.max(...[...cells.values()].map(({ words }) => page.runOf.get(words.at(-1) ?? -1)?.row ?? 0));
  const hashesOf = (run: TextRun | undefined): string[] =>
    run ? [page.labels.get(run) ?? "", page.hashes.get(run) ?? ""].filter((hash) => hash !== "") : [];
  const ofItems = new Set(
    rows.flatMap((row) => (row.page === page ? (page.runs.rows[row.row] ?? []) : [])).flatMap(hashesOf),
  );
  const ends = page.runs.rows.slice(last + 1).flatMap(([run]) => hashesOf(run));
  return [...new Set(ends)].filter((hash) => !ofItems.has(hash)).slice(0, maxEnds);
}

const startAbove = ({ page, row }: LocatedRow): string => {
  const [run] = page.runs.rows[row - 1] ?? [];
  return (run && page.hashes.get(run)) ?? "";
};

/** Returns true if, between two items, there are rows that contain no value of an item. */
function hasLinesBetween(rows: readonly LocatedRow[]): boolean {
  return rows.some((row, at) => {
    const next = rows[at + 1];
    if (!next || next.page !== row.page) return false;
    const own = new Set(
      [...row.cells.values()].flatMap(({ words }) => words.map((word) => row.page.runOf.get(word)?.row)),
    );
    for (let between = row.row + 1; between < next.row; between++) if (!own.has(between)) return true;
    return false;
  });
}
