/** Finds rows outside of the document reader's tables whose texts are aligned in columns. */
import type { Box } from "../../../reading/document.ts";
import { centreY, overlapShare, type PageRuns, type TextRun, unionOf } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { isHeadingText } from "./headings-above.ts";
import type { Column, Head } from "./list-heads.ts";
import { addWords, type Cell, type ListRow, rowOfRuns } from "./list-rows.ts";
import type { Section } from "./table-sections.ts";

/** Maximum gap between two rows of one list, in line heights. Chosen by hand, 2026-11. */
const maxGap = 2.2;
/**
 * Maximum number of rows with a single text run that may stand between two rows of a list. Chosen
 * by hand, 2026-11.
 */
const maxSingles = 3;
/** Minimum number of rows in a list. Chosen by hand, 2026-11. */
const minRows = 2;
/**
 * Minimum horizontal overlap of a text run and its column, as a share (0 to 1) of the narrower one.
 * Chosen by hand, 2026-11.
 */
const minOverlap = 0.1;

/** Consecutive rows whose text runs form columns. */
interface Band {
  columns: Box[];
  rows: TextRun[][];
}

/**
 * Returns the possible sections of each band of rows on a page. The whole band is read in two ways:
 * with its first row as the heading, and without a heading. Further sections begin at any row that
 * may be a heading, and end before the next such row.
 */
export function sectionsOfRows(page: PageRuns, items: readonly AskedField[]): Section[][] {
  return bandsOf(page).map((band) => {
    const whole = [0, 1].flatMap((heads) => {
      const body = band.rows.slice(heads);
      if (body.length < minRows || (heads > 0 && !isHeading(band.rows[0]))) return [];
      return sectionOf(page, band, heads, items);
    });
    const inner = partsOf(band).map((part) => sectionOf(page, part, 1, items));
    return [...whole, ...inner];
  });
}

/** Maximum number of headings that are tried within a band. Chosen by hand, 2026-11. */
const maxInnerHeads = 6;

/**
 * Returns the parts of the band that begin with a heading: a row of texts above a row with numbers.
 * Two lists with the same columns, or a list and the letterhead above it, may be one band.
 */
function partsOf({ rows }: Band): Band[] {
  const heads = rows
    .flatMap((runs, at) => {
      const below = rows[at + 1];
      return runs.length > 1 && isHeading(runs) && below && below.length > 1 && !isHeading(below) ? [at] : [];
    })
    .slice(0, maxInnerHeads);
  return heads.flatMap((from, index) => {
    const own = rows.slice(from, heads[index + 1]);
    const isWhole = from === 0 && own.length === rows.length;
    const columns = isWhole || own.length <= minRows ? undefined : columnsOfRows(own);
    return columns ? [{ columns, rows: own }] : [];
  });
}

/** Returns the columns of the rows. Undefined if the rows do not form columns. */
function columnsOfRows([first = [], ...others]: readonly TextRun[][]): Box[] | undefined {
  let columns: Box[] | undefined = first.map((run) => run.box);
  for (const runs of others) columns = columns && joinedColumns(columns, runs);
  return columns;
}

const isHeading = (runs: readonly TextRun[] = []): boolean => runs.every(({ text }) => isHeadingText(text));

function bandsOf(page: PageRuns): Band[] {
  const bands: Band[] = [];
  let band: Band | undefined;
  let waiting: TextRun[][] = [];
  let bottom = 0;
  const inTable = rowsInTables(page);
  for (const [at, runs] of page.rows.entries()) {
    const first = runs[0];
    if (!first) continue;
    const gap = first.box[1] - bottom;
    bottom = Math.max(...runs.map((run) => run.box[3]));
    const parted = inTable.has(at) || gap > maxGap * first.height;
    if (parted) [band, waiting] = [undefined, []];
    if (inTable.has(at)) continue;
    if (runs.length === 1) {
      waiting.push(runs);
      if (waiting.length > maxSingles) band = undefined;
      continue;
    }
    const joined = band && joinedColumns(band.columns, runs);
    if (band && joined) {
      band.rows.push(...waiting, runs);
      band.columns = joined;
    } else {
      band = newBand(waiting.length === 0 ? band?.rows.at(-1) : undefined, runs);
      bands.push(band);
    }
    waiting = [];
  }
  return bands.filter(({ rows }) => rows.length >= minRows);
}

/**
 * Starts a new band of rows. The band includes the previous row if that row has the same columns.
 */
function newBand(before: TextRun[] | undefined, runs: TextRun[]): Band {
  const columns = runs.map((run) => run.box);
  const joined = before && before.length > 1 ? joinedColumns(columns, before) : undefined;
  return before && joined ? { columns: joined, rows: [before, runs] } : { columns, rows: [runs] };
}

function rowsInTables(page: PageRuns): Set<number> {
  const found = new Set<number>();
  for (const { box } of page.page.tables)
    for (const [at, runs] of page.rows.entries())
      if (
        runs.some(
          (run) => centreY(run.box) > box[1] && centreY(run.box) < box[3] && run.box[0] < box[2] && box[0] < run.box[2],
        )
      )
        found.add(at);
  return found;
}

/**
 * Returns the columns, widened to include the runs of a row. Undefined if a run overlaps two
 * columns, or if too few runs of the row belong to a column.
 */
function joinedColumns(columns: readonly Box[], runs: readonly TextRun[]): Box[] | undefined {
  const joined = [...columns];
  let matched = 0;
  for (const run of runs) {
    const over = joined.flatMap((box, at) => (overlapShare(box, run.box) > minOverlap ? [at] : []));
    if (over.length > 1) return undefined;
    const [only] = over;
    if (only === undefined) joined.push(run.box);
    else {
      joined[only] = unionOf(joined[only] as Box, run.box);
      matched++;
    }
  }
  if (matched < Math.min(2, runs.length)) return undefined;
  joined.sort((a, b) => a[0] - b[0]);
  return joined.some((box, at) => at > 0 && box[0] < (joined[at - 1]?.[2] ?? 0)) ? undefined : joined;
}

function sectionOf(page: PageRuns, band: Band, heads: number, items: readonly AskedField[]): Section {
  const head: Head = {
    page,
    row: (band.rows[0]?.[0]?.row ?? 0) + heads - 1,
    columns: [],
    items,
    options: [],
    score: 0,
  };
  const columns = band.columns.map((box): Column => {
    const own = heads > 0 ? (band.rows[0] ?? []).filter((run) => overlapShare(run.box, box) > minOverlap) : [];
    return { box, text: own.map((run) => run.text).join(" "), item: undefined, score: 0 };
  });
  head.columns = columns;
  return { head, rows: band.rows.slice(heads).map((runs) => rowOf(page, runs, columns)) };
}

function rowOf(page: PageRuns, runs: readonly TextRun[], columns: readonly Column[]): ListRow {
  const cells = new Map<Column, Cell>();
  for (const run of runs) {
    const column = columns.find(({ box }) => overlapShare(box, run.box) > minOverlap);
    if (column) addWords(cells, column, page, run.words);
  }
  return rowOfRuns(page, runs, cells);
}
