/** Net, tax and gross belong together: of several readings the one whose sum is right is the best. */
import type { Candidate } from "./candidates.ts";

export interface Totals {
  net: Candidate | undefined;
  tax: Candidate | undefined;
  gross: Candidate | undefined;
  /** True where net + tax = gross holds. */
  consistent: boolean;
}

const maxTried = 10;
const minScore = 0.28;
const sumBonus = 0.45;
const wellLabelled = 0.55;
const centTolerance = 0.011;

const amountOf = (candidate: Candidate | undefined): number =>
  typeof candidate?.value === "number" ? candidate.value : Number.NaN;

export function chooseTotals(
  net: readonly Candidate[],
  tax: readonly Candidate[],
  gross: readonly Candidate[],
): Totals {
  const nets = distinct(net);
  const taxes = distinct(tax);
  const grosses = distinct(gross);
  let best: Totals = { net: nets[0], tax: taxes[0], gross: grosses[0], consistent: false };
  let most = scoreOf(best);
  for (const n of nets) {
    for (const g of grosses) {
      for (const t of taxes) {
        if (!adds(amountOf(n), amountOf(t), amountOf(g))) continue;
        const totals = { net: n, tax: t, gross: g, consistent: true };
        const score = scoreOf(totals);
        if (score > most) [best, most] = [totals, score];
      }
    }
  }
  return best;
}

function adds(net: number, tax: number, gross: number): boolean {
  return Math.abs(net + tax - gross) < centTolerance && gross !== 0;
}

const scoreOf = (totals: Totals): number =>
  (totals.net?.score ?? 0) +
  (totals.tax?.score ?? 0) +
  (totals.gross?.score ?? 0) +
  (totals.consistent ? bonusOf(totals) : 0);

/** Without tax any amount is its own sum: that tells something only where all three are labelled well. */
function bonusOf({ net, tax, gross }: Totals): number {
  if (amountOf(tax) !== 0) return 2 * sumBonus;
  return [net, tax, gross].every((candidate) => (candidate?.score ?? 0) >= wellLabelled) ? sumBonus : -sumBonus;
}

/** The best candidate of each amount. */
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
