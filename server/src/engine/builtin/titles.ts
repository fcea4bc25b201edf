/** The title of a paper: "Rechnung Nr. 4711 vom 1.2.2026" in larger or bolder type. What it states about the paper is its own number and date. */

import { labelTerms } from "./labels.ts";
import { type Layout, type PageLayout, type Segment, wordAt } from "./layout.ts";

export interface Title {
  segment: Segment;
  /** The families of its first words: `invoice`, `order`. */
  families: ReadonlySet<string>;
}

const papers = new Set(["invoice", "credit", "receipt", "order", "offer", "contract", "delivery"]);
const maxTitleWords = 14;
const leadingTerms = 3;
const largerBy = 1.12;
const searchedShare = 0.6;

const sizeOf = (page: PageLayout, segment: Segment): number =>
  wordAt(page.page, segment.words[0] ?? 0).size ?? segment.height;

/** The topmost title of the first page that has a number, in it or to its right. */
export function findTitle(layout: Layout): Title | undefined {
  const page = layout.pages[0];
  if (!page) return undefined;
  const sizes = page.segments.map((segment) => sizeOf(page, segment)).sort((a, b) => a - b);
  const usual = sizes[sizes.length >> 1] ?? 1;
  const mostlyBold = page.segments.filter((segment) => segment.bold).length * 2 > page.segments.length;
  for (const segment of page.segments) {
    if (segment.box[1] > page.page.height * searchedShare) break;
    const stands = sizeOf(page, segment) >= largerBy * usual || (segment.bold && !mostlyBold);
    if (!stands || segment.words.length > maxTitleWords) continue;
    const families = new Set(
      labelTerms(segment.text)
        .filter((term) => term.weight >= 0.5)
        .slice(0, leadingTerms)
        .flatMap((term) => term.texts),
    );
    const right = page.rows[segment.row]?.[segment.column + 1];
    const numbered = /\d/.test(segment.text) || (right && /\d/.test(right.text));
    if (numbered && [...families].some((family) => papers.has(family))) return { segment, families };
  }
  return undefined;
}

/** True if the segment is the title, or stands to its right. */
export const inTitle = (title: Title, segment: Segment): boolean =>
  segment.page === title.segment.page &&
  segment.row === title.segment.row &&
  (segment.column === title.segment.column || segment.column === title.segment.column + 1);
