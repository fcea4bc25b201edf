/**
 * Finds the final total at the foot of a bill. It is the amount paid less the change, or an earlier
 * total plus the charges printed after that total. Labels alone may mislead: a bill may print
 * "total" and then add service, tax and rounding.
 */

import { itemAt } from "../../../lib/item-at.ts";
import { type AskedField, amountField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import { findCandidates, type LabelledValue } from "./find-candidates.ts";

/** Maximum number of charges between a total and the next total. Chosen by hand, 2026-11. */
const maxCharges = 6;
/**
 * Maximum charge, as a share of the earlier total to which it is added. Chosen by hand, 2026-11.
 */
const maxChargePart = 0.5;
/**
 * Maximum amount, in currency units, that may be subtracted from a total to reach the next one. A
 * rounding is this small. A discount or a payment is larger and does not lead to a new total.
 * Chosen by hand, 2026-11.
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
 * Maximum difference between amounts that count as equal, in currency units: half a cent, plus a
 * margin because binary fractions are inexact.
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
 * Returns the amount that equals the payment less the change. If there is none, starts at the
 * amount `from`, adds the charges below it, and returns the printed total that they lead to.
 * Undefined if the result equals `from`.
 */
export function finalTotal(from: number, view: DocumentView): LabelledValue | undefined {
  const amounts = view.places("money").filter(isAmount);
  const ladders = amounts.flatMap((place, at) => (isSame(amountAt(place), from) ? [topOfLadder(amounts, at)] : []));
  const climbed = ladders.find((at) => !isSame(amountAt(itemAt(amounts, at)), from));
  const final = amounts[settled(amounts, view) ?? climbed ?? -1];
  return final && !isSame(amountAt(final), from) ? final : undefined;
}

/**
 * Returns the total of a document in which no amount has the label of a total. This is the amount
 * that equals payment less change, or else a payment without change, or else the amount due. If
 * there is none of these, starts at `net` and adds the charges below it.
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

/** Half of five cents, in currency units, plus a margin because binary fractions are inexact. */
const halfStep = 0.026;

/**
 * Returns true if the value is the sum rounded to five cents. This is usual in countries without
 * smaller coins, and some bills do not state the difference.
 */
const isCashRounded = (value: number, sum: number): boolean =>
  Math.abs(value - sum) < halfStep && isSame(Math.round(value * 20) / 20, value);

/**
 * Starts at the amount with the index `from`. Moves on to a later total as long as the amount and
 * the charges in between add up to that total. Returns the index of the last total that is reached,
 * or `from` if there is none.
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
 * Returns the index of an amount that equals the payment less the change. Payment and change must
 * be printed below that amount.
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
 * Returns the index of a payment that was made without change: the same amount stands above it, or
 * a change of zero stands directly below it.
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
