/**
 * Finds the total at the foot of a bill: a total plus the charges below it, or the amount paid less
 * the change. Uses sums if the labels do not identify it: a bill may label an amount "total" and
 * then add service, tax and rounding.
 */

import { itemAt } from "../../../lib/item-at.ts";
import { type AskedField, amountField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import { findCandidates, type LabelledValue } from "./find-candidates.ts";

/** Maximum number of charges between a total and the next one. Chosen by hand, 2026-11. */
const maxCharges = 6;
/** Maximum charge, as a share of the total to which it is added. Chosen by hand, 2026-11. */
const maxChargePart = 0.5;
/**
 * Maximum deduction, in currency units. Only roundings lead to a new total; discounts and payments
 * do not. Chosen by hand, 2026-11.
 */
const maxTakenOff = 0.06;
/**
 * Maximum number of amounts before the change that are searched for the payment and the total.
 * Chosen by hand, 2026-11.
 */
const maxBackFromChange = 6;
/** Minimum score of a label for the change. Chosen by hand, 2026-11. */
const minChangeLabel = 0.6;
/**
 * Maximum difference of equal amounts, in currency units: half a cent, with a margin for binary
 * fractions.
 */
const centTolerance = 0.006;

const changeQuery = amountField("change");
export const paidQuery = amountField("paid");
const dueQuery = amountField("amount due");
/** Minimum score of a label for a payment. Chosen by hand, 2026-11. */
const minPaidLabel = 0.6;
/** Minimum score of a label for an amount due. Chosen by hand, 2026-11. */
const minDueLabel = 0.5;

/**
 * Returns the amount that equals the payment less the change. If there is none, returns the total
 * that is reached from the amount `from` by adding the charges below it. Undefined if the result
 * equals `from`.
 */
export function finalTotal(from: number, view: DocumentView): LabelledValue | undefined {
  const amounts = view.places("money").filter(isAmount);
  const ladders = amounts.flatMap((place, at) => (isSame(amountAt(place), from) ? [topOfLadder(amounts, at)] : []));
  const climbed = ladders.find((at) => !isSame(amountAt(itemAt(amounts, at)), from));
  const final = amounts[settled(amounts, view) ?? climbed ?? -1];
  return final && !isSame(amountAt(final), from) ? final : undefined;
}

/**
 * Returns the total of a document without a labelled total: the amount that was settled, paid at
 * once, or is due. If there is none, returns the total that is reached from the net.
 */
export function unlabelledTotal(net: number | undefined, view: DocumentView): LabelledValue | undefined {
  const amounts = view.places("money").filter(isAmount);
  const at = settled(amounts, view) ?? paidAtOnce(amounts, view) ?? due(amounts, view);
  return amounts[at ?? -1] ?? (net === undefined ? undefined : finalTotal(net, view));
}

/** Returns true for amounts with cents. Other numbers on a bill are counts, times and codes. */
const isAmount = ({ run, found }: LabelledValue): boolean =>
  typeof found.value === "number" && /[.,]\d{2}\D*$/u.test(run.text.slice(found.start, found.end));

const amountAt = (place: LabelledValue): number => Number(place.found.value);

const isSame = (a: number, b: number): boolean => Math.abs(a - b) < centTolerance;

/** Half of five cents, in currency units, with a margin for binary fractions. */
const halfStep = 0.026;

/**
 * Returns true if the value is the sum rounded to five cents. This is usual in countries without
 * smaller coins, and some bills do not state the difference.
 */
const isCashRounded = (value: number, sum: number): boolean =>
  Math.abs(value - sum) < halfStep && isSame(Math.round(value * 20) / 20, value);

/**
 * Returns the index of the last total that is reached from the amount at `from`. The charges after
 * each total must add up to the next one.
 */
function topOfLadder(amounts: readonly LabelledValue[], from: number): number {
  const base = amountAt(itemAt(amounts, from));
  let sum = base;
  for (let at = from + 1; at < amounts.length && at <= from + maxCharges + 1; at++) {
    const place = itemAt(amounts, at);
    if (place.run.page !== amounts[from]?.run.page) break;
    const value = amountAt(place);
    if (isSame(value, sum) || (at > from + 2 && isCashRounded(value, sum))) return topOfLadder(amounts, at);
    if (value > base * maxChargePart || value < -maxTakenOff) break;
    sum += value;
  }
  return from;
}

/**
 * Returns the index of an amount that equals the payment less the change, both of which are printed
 * below it.
 */
function settled(amounts: readonly LabelledValue[], view: DocumentView): number | undefined {
  for (const last of labelled(changeQuery, minChangeLabel, amounts, view)) {
    const change = amountAt(itemAt(amounts, last));
    const first = Math.max(0, last - maxBackFromChange);
    for (let paid = last - 1; paid > first && change > 0; paid--) {
      const due = amountAt(itemAt(amounts, paid)) - change;
      for (let at = paid - 1; at >= first && due > 0; at--) if (isSame(amountAt(itemAt(amounts, at)), due)) return at;
    }
  }
  return undefined;
}

/**
 * Returns the index of a payment with the same amount above it, or with zero change right below it.
 */
function paidAtOnce(amounts: readonly LabelledValue[], view: DocumentView): number | undefined {
  const changes = labelled(changeQuery, minChangeLabel, amounts, view);
  return labelled(paidQuery, minPaidLabel, amounts, view).find((paid) => {
    const value = amountAt(itemAt(amounts, paid));
    return (
      value > 0 &&
      ((changes.includes(paid + 1) && amountAt(itemAt(amounts, paid + 1)) === 0) ||
        amounts.slice(Math.max(0, paid - maxBackFromChange), paid).some((place) => isSame(amountAt(place), value)))
    );
  });
}

const due = (amounts: readonly LabelledValue[], view: DocumentView): number | undefined =>
  labelled(dueQuery, minDueLabel, amounts, view)[0];

/** Returns the indices of amounts whose labels match the field, best first. */
function labelled(
  query: AskedField,
  minLabel: number,
  amounts: readonly LabelledValue[],
  view: DocumentView,
): number[] {
  return findCandidates(query, view.places)
    .filter(({ score }) => score >= minLabel)
    .map(({ run, start }) => amounts.findIndex((place) => place.run === run && place.found.start === start))
    .filter((at) => at >= 0);
}
