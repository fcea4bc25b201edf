/**
 * The total at the foot of a bill: what a total and the charges below it add up to, and what was paid less the change. Sums tell it where
 * labels don't: a bill may call "total" what it adds service, tax and rounding to.
 */

import { type AskedField, amountField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import { findCandidates, type LabelledValue } from "./find-candidates.ts";

/** Amounts that may stand between a total and the next one. */
const maxCharges = 6;
/** A charge is less than this part of what it is added to. */
const maxChargePart = 0.5;
/** What is taken off is a rounding; discounts and payments make no new total. */
const maxTakenOff = 0.06;
const maxBackFromChange = 6;
const minChangeLabel = 0.6;
const centTolerance = 0.006;

const changeQuery = amountField("change");
export const paidQuery = amountField("paid");
const dueQuery = amountField("amount due");
const minPaidLabel = 0.6;
const minDueLabel = 0.5;

/**
 * The place of the amount that was paid less the change; else of the last total that the amount `from` leads to, wherever it stands.
 * Undefined where that is none but `from`.
 */
export function finalTotal(from: number, view: DocumentView): LabelledValue | undefined {
  const amounts = view.places("money").filter(isAmount);
  const ladders = amounts.flatMap((place, at) => (isSame(amountAt(place), from) ? [topOfLadder(amounts, at)] : []));
  const climbed = ladders.find((at) => !isSame(amountAt(amounts[at] as LabelledValue), from));
  const final = amounts[settled(amounts, view) ?? climbed ?? -1];
  return final && !isSame(amountAt(final), from) ? final : undefined;
}

/** Where no label says "total": the amount that is settled, was paid at once, or is due; else what leads on from the net. */
export function unlabelledTotal(net: number | undefined, view: DocumentView): LabelledValue | undefined {
  const amounts = view.places("money").filter(isAmount);
  const at = settled(amounts, view) ?? paidAtOnce(amounts, view) ?? due(amounts, view);
  return amounts[at ?? -1] ?? (net === undefined ? undefined : finalTotal(net, view));
}

/** Written with cents: other numbers on a bill are counts, times and codes. */
const isAmount = ({ run, found }: LabelledValue): boolean =>
  typeof found.value === "number" && /[.,]\d{2}\D*$/u.test(run.text.slice(found.start, found.end));

const amountAt = (place: LabelledValue): number => Number(place.found.value);

const isSame = (a: number, b: number): boolean => Math.abs(a - b) < centTolerance;

/** Where there are no smaller coins, sums are paid to the nearest five cents, and not every bill states the difference. */
const isCashRounded = (value: number, sum: number): boolean =>
  Math.abs(value - sum) < 0.026 && isSame(Math.round(value * 20) / 20, value);

/** From the amount at `from` up, as long as charges that follow it add up to an amount that follows them. */
function topOfLadder(amounts: readonly LabelledValue[], from: number): number {
  const base = amountAt(amounts[from] as LabelledValue);
  let sum = base;
  for (let at = from + 1; at < amounts.length && at <= from + maxCharges + 1; at++) {
    const place = amounts[at] as LabelledValue;
    if (place.run.page !== amounts[from]?.run.page) break;
    const value = amountAt(place);
    if (isSame(value, sum) || (at > from + 2 && isCashRounded(value, sum))) return topOfLadder(amounts, at);
    if (value > base * maxChargePart || value < -maxTakenOff) break;
    sum += value;
  }
  return from;
}

/** An amount that is what was paid less the change, both of which stand below it. */
function settled(amounts: readonly LabelledValue[], view: DocumentView): number | undefined {
  for (const last of labelled(changeQuery, minChangeLabel, amounts, view)) {
    const change = amountAt(amounts[last] as LabelledValue);
    const first = Math.max(0, last - maxBackFromChange);
    for (let paid = last - 1; paid > first && change > 0; paid--) {
      const due = amountAt(amounts[paid] as LabelledValue) - change;
      for (let at = paid - 1; at >= first && due > 0; at--)
        if (isSame(amountAt(amounts[at] as LabelledValue), due)) return at;
    }
  }
  return undefined;
}

/** An amount that was paid, with the same one above it or no change below it. */
function paidAtOnce(amounts: readonly LabelledValue[], view: DocumentView): number | undefined {
  const changes = labelled(changeQuery, minChangeLabel, amounts, view);
  return labelled(paidQuery, minPaidLabel, amounts, view).find((paid) => {
    const value = amountAt(amounts[paid] as LabelledValue);
    return (
      value > 0 &&
      ((changes.includes(paid + 1) && amountAt(amounts[paid + 1] as LabelledValue) === 0) ||
        amounts.slice(Math.max(0, paid - maxBackFromChange), paid).some((place) => isSame(amountAt(place), value)))
    );
  });
}

const due = (amounts: readonly LabelledValue[], view: DocumentView): number | undefined =>
  labelled(dueQuery, minDueLabel, amounts, view)[0];

/** Where the amounts stand that a label gives as this, the best first. */
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
