/** The title of a paper: "Rechnung Nr. 4711 vom 1.2.2026" in larger or bolder type. What it states about the paper is its own number and date. */

import { type DocumentRuns, type PageRuns, type TextRun, wordAt } from "../../page/text-runs.ts";
import { labelTerms } from "./label-scores.ts";

/** Families of papers: of what kind a document may call itself. */
const documentFamilies = new Set(["invoice", "credit", "receipt", "order", "offer", "contract", "delivery"]);
/** "Order total" is no title. */
const amounts = new Set(["total", "amount", "gross", "net", "payable", "price", "tax"]);

export interface DocumentTitle {
  run: TextRun;
  /** The families of its first words: `invoice`, `order`. */
  families: ReadonlySet<string>;
}

const maxTitleWords = 14;
const leadingTerms = 3;
const largerBy = 1.12;
const searchedShare = 0.6;
const sizeTolerance = 1.02;
/** "Your order" is the other side's paper. */
const foreign = /^(?:your|ihre?|vos|votre|su|vostr[oa]|uw)(?!\p{L})/iu;

const sizeOf = (page: PageRuns, run: TextRun): number => wordAt(page.page, run.words[0] ?? 0).size ?? run.height;

/** The largest title of the first page that has a number, in it or to its right; of equals the topmost. */
export function findTitle(layout: DocumentRuns): DocumentTitle | undefined {
  return largest(layout, (page, run) => {
    const right = page.rows[run.row]?.[run.column + 1];
    return /\d/.test(run.text) || (right !== undefined && /\d/.test(right.text));
  });
}

/** What kind of paper the document calls itself, in its title: families as `invoice`, `credit`. */
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

function titleOf(run: TextRun): DocumentTitle | undefined {
  if (run.words.length > maxTitleWords || foreign.test(run.text)) return undefined;
  const terms = labelTerms(run.text).filter((term) => term.weight >= 0.5);
  const families = new Set(terms.slice(0, leadingTerms).flatMap((term) => term.texts));
  if ([...families].some((family) => amounts.has(family))) return undefined;
  return [...families].some((family) => documentFamilies.has(family)) ? { run, families } : undefined;
}

/** True if the run is the title, or stands to its right. */
export const inTitle = (title: DocumentTitle, run: TextRun): boolean =>
  run.page === title.run.page &&
  run.row === title.run.row &&
  (run.column === title.run.column || run.column === title.run.column + 1);

/** True if the text begins as the title of a paper does. */
export const beginsAsTitle = (text: string): boolean =>
  labelTerms(text)
    .filter((term) => term.weight >= 0.5)
    .slice(0, leadingTerms)
    .some((term) => term.texts.some((family) => documentFamilies.has(family)));
