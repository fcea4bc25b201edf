/** Finds printed page numbers: "Page 2 of 3", "Seite 2/3", "- 2 -", a lone number in the margin. */

import { foldLabel } from "../../language/folding.ts";
import type { PageRuns, TextRun } from "../page/text-runs.ts";

export interface PageNumber {
  page: number;
  /** Total number of pages, if printed. */
  of?: number;
  /** False for a lone number, which may be something other than a page number. */
  sure: boolean;
}

const word =
  "(?:page|pages|pag|pagina|paginas|pg|p|seite|seiten|s|blatt|bladzijde|blz|sheet|folio|hoja|foglio|strona|str|стр|страница|صفحة)";
const parting = "(?:/|\\||of|out of|von|aus|de|du|sur|di|su|van|do|из)";
const named = new RegExp(
  `(?:^|[^\\p{L}])${word}(?: ?(?:no|nr|n°))?[.:#]? {0,3}(\\d{1,4})(?: ?${parting} ?(\\d{1,4}))?(?![\\d.,]*\\d|\\p{L})`,
  "u",
);
const han = /第? ?(\d{1,4}) ?[页頁](?: ?[/，,共] ?共? ?(\d{1,4}))?/u;
const counted = new RegExp(`^[(\\[-]{0,2} ?(\\d{1,4}) ?${parting} ?(\\d{1,4}) ?[)\\]-]{0,2}$`, "u");
const dashed = /^[-[(<|] ?(\d{1,3}) ?[-\])>|]$/;
const bare = /^\d{1,3}$/;

/**
 * Page numbers are searched for in the top part of the page, down to this share of the page height.
 * Chosen by hand, 2026-11.
 */
const topShare = 0.34;
/**
 * Page numbers are searched for in the bottom part of the page, below this share of the page
 * height. Chosen by hand, 2026-11.
 */
const bottomShare = 0.78;
/** Maximum length of a text that is searched, in UTF-16 units. Chosen by hand, 2026-11. */
const maxLength = 200;
/**
 * Number of rows at the top and at the bottom in which a lone number may be a page number. Chosen
 * by hand, 2026-11.
 */
const edgeRows = 2;

/** Returns the page number, or undefined if none is found. */
export function findPageNumber(page: PageRuns): PageNumber | undefined {
  const height = page.page.height;
  let found: PageNumber | undefined;
  for (const row of page.rows) {
    const top = row[0]?.box[1] ?? 0;
    if (top > topShare * height && top < bottomShare * height) continue;
    const texts = row.length > 1 ? [...row.map(textOf), joined(row)] : row.map(textOf);
    for (const text of texts) {
      const number = readNumber(text);
      // Prefer a number that is printed with a total. Otherwise prefer the last one, which is in
      // the footer.
      if (number && (number.of !== undefined || found?.of === undefined)) found = number;
    }
  }
  return found ?? bareNumber(page);
}

const textOf = (run: TextRun): string => foldLabel(run.text.slice(0, maxLength));
const joined = (row: readonly TextRun[]): string =>
  foldLabel(
    row
      .map(({ text }) => text)
      .join(" ")
      .slice(0, maxLength),
  );

function readNumber(text: string): PageNumber | undefined {
  if (!/\d/.test(text)) return undefined;
  for (const pattern of [named, han, counted, dashed]) {
    const match = pattern.exec(text);
    if (!match) continue;
    const page = Number(match[1]);
    const of = match[2] === undefined ? undefined : Number(match[2]);
    if (page === 0 || (of !== undefined && of < page)) continue;
    // "1/2" alone may also be a fraction. A comparison with the number of the next page decides.
    return { page, ...(of === undefined ? {} : { of }), sure: true };
  }
  return undefined;
}

function bareNumber(page: PageRuns): PageNumber | undefined {
  const edges = [...page.rows.slice(-edgeRows).toReversed(), ...page.rows.slice(0, edgeRows)];
  for (const row of edges) {
    for (const run of [row[0], row.at(-1)]) {
      if (run && bare.test(run.text) && Number(run.text) > 0) return { page: Number(run.text), sure: false };
    }
  }
  return undefined;
}
