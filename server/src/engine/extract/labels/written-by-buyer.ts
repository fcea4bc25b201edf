/** Whose paper it is: an order is written by who buys, most other papers by who sells. */

import type { DocumentRuns, PageRuns, TextRun } from "../../page/text-runs.ts";
import { labelTerms } from "./label-scores.ts";

const orderTitle =
  /^(?:purchase order|order form|bestellung|bestellschein|bon de commande|commande|pedido(?: de compra)?|orden de compra|ordine(?: d['’]acquisto| di acquisto)?|inkooporder|bestelling|self[- ]bill(?:ed|ing) invoice|gutschriftsverfahren)(?: ?(?:n[°ºo]\.?|nr\.?|no\.?|#|num\p{L}*(?!\p{L}))?:? ?[^\s\d]*\d\S*)?$/iu;
const searchedShare = 0.4;

/** True if the paper is an order, or an invoice that the buyer writes for the seller. */
export function isWrittenByBuyer(layout: DocumentRuns): boolean {
  const page = layout.pages[0];
  if (!page) return false;
  const upper = page.segments.filter((segment) => segment.box[1] < searchedShare * page.page.height);
  const heights = page.segments.map((segment) => segment.height).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  const title = upper.find((segment) => orderTitle.test(segment.text) && isTitle(page, segment, usual));
  return title !== undefined && !upper.some((segment) => segment !== title && isInvoiceTitle(page, segment, usual));
}

/** A title is set larger or bolder than most, or in capitals, with no value at its side. */
function isTitle(page: PageRuns, segment: TextRun, usual: number): boolean {
  const stands = segment.height > 1.15 * usual || segment.bold || segment.text === segment.text.toUpperCase();
  const right = page.rows[segment.row]?.[segment.column + 1];
  return stands && !(right && /^\S*\d/.test(right.text) && !/\d/.test(segment.text) && segment.height < 1.15 * usual);
}

const isInvoiceTitle = (page: PageRuns, segment: TextRun, usual: number): boolean =>
  segment.text.length < 30 &&
  isTitle(page, segment, usual) &&
  labelTerms(segment.text)
    .slice(0, 2)
    .some((term) => term.texts.includes("invoice") || term.texts.includes("receipt"));

const statementTitle =
  /^(?:[\p{L} ]{2,40} [–—-] )?(?:(?:bank |account )?statement(?: of account)?|kontoauszug|auszug|relevé(?: de compte| bancaire)?|extracto(?: de cuenta| bancario)?|estratto conto|rekeningafschrift)(?!\p{L})/iu;

/** True if the paper is a bank's statement of an account, which states its IBAN in the upper part. */
export function isAccountStatement(layout: DocumentRuns): boolean {
  const page = layout.pages[0];
  const upper = page?.segments.filter((segment) => segment.box[1] < searchedShare * page.page.height) ?? [];
  return (
    upper.some((segment) => statementTitle.test(segment.text)) && upper.some((segment) => /iban/iu.test(segment.text))
  );
}
