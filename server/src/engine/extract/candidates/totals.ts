/**
 * Chooses net, tax and gross together, because a combination in which net plus tax equals gross is
 * more likely to be correct.
 */

import { itemAt } from "../../../lib/item-at.ts";
import { type AskedField, amountField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import { finalTotal, paidQuery, unlabelledTotal } from "./final-total.ts";
import { type Candidate, findCandidates, scored } from "./find-candidates.ts";

export interface Totals {
  net: Candidate | undefined;
  tax: Candidate | undefined;
  gross: Candidate | undefined;
  /** True if net + tax = gross. */
  consistent: boolean;
}

/**
 * Maximum number of distinct amounts that are tried for each of net, tax and gross. Chosen by hand,
 * 2026-11.
 */
const maxTried = 10;
/** Minimum score of an amount that is tried. Chosen by hand, 2026-11. */
const minScore = 0.28;
/** Bonus for the score of a combination that adds up. Chosen by hand, 2026-11. */
const sumBonus = 0.45;
/** Minimum score of an amount with a reliable label. Chosen by hand, 2026-11. */
const wellLabelled = 0.55;
/**
 * Maximum difference between sums that count as equal, in currency units: one cent, plus a margin
 * because binary fractions are inexact.
 */
const centTolerance = 0.011;
/**
 * Maximum difference between amounts that count as equal, in currency units. It only allows for
 * inexact binary fractions.
 */
const equalTolerance = 0.001;
/** Minimum score that net, tax and gross get if they add up. Chosen by hand, 2026-11. */
const ofConsistent = 0.6;

const amountOf = (candidate: Candidate | undefined): number =>
  typeof candidate?.value === "number" ? candidate.value : Number.NaN;

export function chooseTotals(
  net: readonly Candidate[],
  tax: readonly Candidate[],
  gross: readonly Candidate[],
  roundings: readonly number[] = [],
): Totals {
  const nets = distinct(net);
  const taxes = distinct(tax);
  const grosses = distinct(gross);
  let best: Totals = { net: nets[0], tax: taxes[0], gross: grosses[0], consistent: false };
  let most = scoreOf(best);
  for (const n of nets) {
    for (const g of grosses) {
      for (const t of taxes) {
        if (!adds(amountOf(n), amountOf(t), amountOf(g), roundings)) continue;
        const totals = { net: n, tax: t, gross: g, consistent: true };
        const score = scoreOf(totals);
        if (score > most) [best, most] = [totals, score];
      }
    }
  }
  return best;
}

/**
 * Returns true if net plus tax equals gross. The sum may differ from the gross by a rounding amount
 * that the document states.
 */
function adds(net: number, tax: number, gross: number, roundings: readonly number[]): boolean {
  const rest = Math.abs(net + tax - gross);
  if (gross === 0) return false;
  return rest < centTolerance || (tax !== 0 && roundings.some((step) => Math.abs(rest - step) < equalTolerance));
}

const scoreOf = (totals: Totals): number =>
  (totals.net?.score ?? 0) +
  (totals.tax?.score ?? 0) +
  (totals.gross?.score ?? 0) +
  (totals.consistent ? bonusOf(totals) : 0);

/**
 * Returns the bonus for amounts that add up. If the tax is 0, every amount adds up as both net and
 * gross. The sum is then evidence only if all three amounts have reliable labels.
 */
function bonusOf({ net, tax, gross }: Totals): number {
  if (amountOf(tax) !== 0) return 2 * sumBonus;
  return [net, tax, gross].every((candidate) => (candidate?.score ?? 0) >= wellLabelled) ? sumBonus : -sumBonus;
}

/** Returns the best candidate of each distinct amount. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<number>();
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (candidate.score < minScore || kept.length >= maxTried) break;
    const amount = amountOf(candidate);
    if (!seen.has(amount)) kept.push(candidate);
    seen.add(amount);
  }
  return kept;
}

export interface Ranked {
  query: AskedField;
  candidates: Candidate[];
}

const grossQuery = amountField("gross total");
const totalsQueries = [amountField("net total"), amountField("tax total"), grossQuery];
const roundingQuery = amountField("rounding");
/** Minimum score of a label for a rounding amount. Chosen by hand, 2026-11. */
const minRoundingLabel = 0.6;

/** Returns the rounding amounts that the document states, without their sign. */
function roundingsOf(view: DocumentView): number[] {
  return findCandidates(roundingQuery, view.places)
    .filter((candidate) => candidate.score >= minRoundingLabel)
    .map((candidate) => Math.abs(Number(candidate.value)))
    .filter((step) => step > 0 && step < 1);
}

/**
 * Replaces the gross with the final total, which is reached by adding the charges printed below the
 * gross. If there is no gross, uses a total that has no label.
 */
function asSettled(totals: Totals, view: DocumentView): Totals {
  const { net, tax, gross } = totals;
  const place = gross ? finalTotal(amountOf(gross), view) : unlabelledTotal(net && amountOf(net), view);
  // A bill without tax may print only a subtotal. The subtotal is then the total.
  if (!place) return gross || tax ? totals : { ...totals, gross: net };
  const final = scored(grossQuery, place);
  return { ...totals, gross: { ...final, score: Math.max(final.score, gross?.score ?? 0, wellLabelled) } };
}

/** Minimum score of a label for an amount due. Chosen by hand, 2026-11. */
const minDueLabel = 0.5;
/** Minimum score of a label for a payment. Chosen by hand, 2026-11. */
const minPaidLabel = 0.7;

/**
 * Drops amounts due whose label does not match, unless they equal the total or the total less a
 * payment.
 */
function withoutStrangers(due: readonly Candidate[], gross: Candidate | undefined, view: DocumentView): Candidate[] {
  const total = amountOf(gross);
  const paid = findCandidates(paidQuery, view.places)
    .filter((candidate) => candidate.score >= minPaidLabel)
    .map((candidate) => Math.abs(amountOf(candidate)));
  const rests = [total, ...paid.map((amount) => total - amount)];
  const fits = (value: number): boolean => rests.some((rest) => Math.abs(rest - value) < centTolerance);
  return due.flatMap((candidate) => {
    if (candidate.score >= minDueLabel) return [candidate];
    return fits(amountOf(candidate)) ? [candidate] : [];
  });
}

/**
 * Moves the chosen net, tax and gross to the front of the candidates of their fields. Drops amounts
 * due that neither have a matching label nor fit the total.
 */
export function preferTotals(ranked: Ranked[], view: DocumentView): void {
  const entryOf = (key: string): Ranked | undefined => ranked.find((entry) => entry.query.concept?.key === key);
  const asked = ["net_total", "tax_total", "gross_total"].map(entryOf);
  const due = entryOf("amount_due");
  if (!due && asked.every((entry) => entry === undefined)) return;
  const lists = asked.map((entry, at) => entry?.candidates ?? findCandidates(itemAt(totalsQueries, at), view.places));
  const roundings = roundingsOf(view);
  const chosen = chooseTotals(lists[0] ?? [], lists[1] ?? [], lists[2] ?? [], roundings);
  const totals = asSettled(chosen, view);
  if (due) due.candidates = withoutStrangers(due.candidates, totals.gross, view);
  [totals.net, totals.tax, totals.gross].forEach((winner, at) => {
    const entry = asked[at];
    if (!entry || !winner) return;
    const first = {
      ...winner,
      score: Math.max(winner.score, totals.consistent ? ofConsistent : 0),
      confirmed: totals.consistent,
    };
    entry.candidates = [
      first,
      ...entry.candidates.filter((candidate) => candidate.run !== winner.run || candidate.start !== winner.start),
    ];
  });
}
