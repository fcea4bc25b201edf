/**
 * Finds the title of the document, such as "Rechnung Nr. 4711 vom 1.2.2026" in larger or bolder
 * type. A number or date in the title belongs to this document, not to another document that it
 * mentions.
 */

import { type DocumentRuns, type PageRuns, sizeOf, type TextRun } from "../../page/text-runs.ts";
import { labelTerms } from "./label-scores.ts";

/** Word families of document kinds that a title can name. */
const documentFamilies = new Set(["invoice", "credit", "receipt", "order", "offer", "contract", "delivery"]);
/** Word families that a title does not contain. "Order total" is not a title. */
const amounts = new Set(["total", "amount", "gross", "net", "payable", "price", "tax"]);

export interface DocumentTitle {
  run: TextRun;
  /** Word families of the title's first words, for example `invoice` or `order`. */
  families: ReadonlySet<string>;
}

/** Maximum number of words in a title. Chosen by hand, 2026-11. */
const maxTitleWords = 14;
/**
 * Number of terms at the start of a title that can name the document kind. Chosen by hand, 2026-11.
 */
const leadingTerms = 3;
/**
 * Minimum type size of a title that is not bold, as a factor of the median size. Chosen by hand,
 * 2026-11.
 */
const largerBy = 1.12;
/** Share of the page height, from the top, in which a title may be. Chosen by hand, 2026-11. */
const searchedShare = 0.6;
/**
 * Two type sizes count as different only if the larger is more than this multiple of the smaller.
 * Chosen by hand, 2026-11.
 */
const sizeTolerance = 1.02;
/**
 * Matches the start of a text such as "Your order", which refers to a document of the other party.
 */
const foreign = /^(?:your|ihre?|vos|votre|su|vostr[oa]|uw)(?!\p{L})/iu;

/**
 * Returns the title on the first page. A title counts only if it contains a number or is directly
 * to the left of a number. If there are several titles, the one in the largest type wins, then the
 * topmost.
 */
export function findTitle(layout: DocumentRuns): DocumentTitle | undefined {
  return largest(layout, (page, run) => {
    const right = page.rows[run.row]?.[run.column + 1];
    return /\d/.test(run.text) || (right !== undefined && /\d/.test(right.text));
  });
}

/** Returns the document kinds in the title as word families, such as `invoice` or `credit`. */
export function findDocumentFamilies(layout: DocumentRuns): ReadonlySet<string> {
  const title = largest(layout, () => true);
  return new Set([...(title?.families ?? [])].filter((family) => documentFamilies.has(family)));
}

function largest(layout: DocumentRuns, fits: (page: PageRuns, run: TextRun) => boolean): DocumentTitle | undefined {
  const page = layout.pages[0];
  if (!page) return undefined;
  const sizes = page.runs.map((run) => sizeOf(page, run)).sort((a, b) => a - b);
  const usual = sizes[sizes.length >> 1] ?? 1;
  const mostlyBold = page.runs.filter((run) => run.bold).length * 2 > page.runs.length;
  let best: DocumentTitle | undefined;
  let size = 0;
  for (const run of page.runs) {
    const own = sizeOf(page, run);
    const stands = own >= largerBy * usual || (run.bold && !mostlyBold);
    if (!stands || own <= size * sizeTolerance || run.box[1] > page.page.height * searchedShare) continue;
    const title = fits(page, run) ? titleOf(run) : undefined;
    if (title) [best, size] = [title, own];
  }
  return best;
}

/** Minimum weight (0 to 1) of a term that may name a document kind. Chosen by hand, 2026-11. */
const minTermWeight = 0.5;

function titleOf(run: TextRun): DocumentTitle | undefined {
  if (run.words.length > maxTitleWords || foreign.test(run.text)) return undefined;
  const terms = labelTerms(run.text).filter((term) => term.weight >= minTermWeight);
  const families = new Set(terms.slice(0, leadingTerms).flatMap((term) => term.texts));
  if ([...families].some((family) => amounts.has(family))) return undefined;
  return [...families].some((family) => documentFamilies.has(family)) ? { run, families } : undefined;
}

/** Returns true if the run is the title, or the run directly to the right of it. */
export const inTitle = (title: DocumentTitle, run: TextRun): boolean =>
  run.page === title.run.page &&
  run.row === title.run.row &&
  (run.column === title.run.column || run.column === title.run.column + 1);

/** Returns true if the text begins like a document title. */
export const beginsAsTitle = (text: string): boolean =>
  labelTerms(text)
    .filter((term) => term.weight >= 0.5)
    .slice(0, leadingTerms)
    .some((term) => term.texts.some((family) => documentFamilies.has(family)));
