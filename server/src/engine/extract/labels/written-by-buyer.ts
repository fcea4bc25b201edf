/**
 * Determines whether the buyer issued the document. Buyers issue orders; sellers issue most other
 * documents.
 */

import type { DocumentRuns, PageRuns, TextRun } from "../../page/text-runs.ts";
import { labelTerms } from "./label-scores.ts";

const orderTitle =
  /^(?:purchase order|order form|bestellung|bestellschein|bon de commande|commande|pedido(?: de compra)?|orden de compra|ordine(?: d['’]acquisto| di acquisto)?|inkooporder|bestelling|self[- ]bill(?:ed|ing) invoice|gutschriftsverfahren)(?: ?(?:n[°ºo]\.?|nr\.?|no\.?|#|num\p{L}*(?!\p{L}))?:? ?[^\s\d]*\d\S*)?$/iu;
/** Share of the page height, from the top, in which a title may be. Chosen by hand, 2026-11. */
const searchedShare = 0.4;
/** Minimum height of a title, as a multiple of the usual line height. Chosen by hand, 2026-11. */
const titleSize = 1.15;

/** Returns true if the document is an order, or an invoice that the buyer writes for the seller. */
export function isWrittenByBuyer(layout: DocumentRuns): boolean {
  const page = layout.pages[0];
  if (!page) return false;
  const upper = page.runs.filter((run) => run.box[1] < searchedShare * page.page.height);
  const heights = page.runs.map((run) => run.height).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  const title = upper.find((run) => orderTitle.test(run.text) && isTitle(page, run, usual));
  return title !== undefined && !upper.some((run) => run !== title && isInvoiceTitle(page, run, usual));
}

/**
 * Returns true for text that is in larger or bold type or in capitals, and has no value beside it.
 */
function isTitle(page: PageRuns, run: TextRun, usual: number): boolean {
  const stands = run.height > titleSize * usual || run.bold || run.text === run.text.toUpperCase();
  const right = page.rows[run.row]?.[run.column + 1];
  return stands && !(right && /^\S*\d/.test(right.text) && !/\d/.test(run.text) && run.height < titleSize * usual);
}

const isInvoiceTitle = (page: PageRuns, run: TextRun, usual: number): boolean =>
  run.text.length < 30 &&
  isTitle(page, run, usual) &&
  labelTerms(run.text)
    .slice(0, 2)
    .some((term) => term.texts.includes("invoice") || term.texts.includes("receipt"));

const statementTitle =
  /^(?:[\p{L} ]{2,40} [–—-] )?(?:(?:bank |account )?statement(?: of account)?|kontoauszug|auszug|relevé(?: de compte| bancaire)?|extracto(?: de cuenta| bancario)?|estratto conto|rekeningafschrift)(?!\p{L})/iu;

/**
 * Returns true for a bank's account statement that shows an IBAN in the upper part of the first
 * page.
 */
export function isAccountStatement(layout: DocumentRuns): boolean {
  const page = layout.pages[0];
  const upper = page?.runs.filter((run) => run.box[1] < searchedShare * page.page.height) ?? [];
  return upper.some((run) => statementTitle.test(run.text)) && upper.some((run) => /iban/iu.test(run.text));
}
