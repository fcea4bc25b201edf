/** Detects how a document writes numbers and dates, so that values in its quotes can be parsed. */
import type { Document } from "../../reading/document.ts";
import { textRunsOf } from "../page/text-runs.ts";
import { currencyCodes } from "../values/currencies.ts";
import type { DateOrder } from "../values/dates.ts";
import { readLocale } from "../values/locale.ts";
import { type DecimalMark, markVotes } from "../values/numbers.ts";

export interface Conventions {
  /**
   * Decimal marks of the document, the most common first. If the document does not show which one
   * it uses, both are listed.
   */
  marks: readonly [DecimalMark, ...DecimalMark[]];
  order: DateOrder;
  /** Code of the currency that a `$` alone stands for. */
  dollar: string;
  currencies: ReadonlySet<string>;
}

export const defaultConventions: Conventions = {
  marks: [".", ","],
  order: "dmy",
  dollar: "USD",
  currencies: currencyCodes,
};

const sampledPages = 30;
/**
 * The less common decimal mark is also accepted if the document uses it often enough. This is its
 * minimum number of uses, as a share of the main mark's uses. Chosen by hand, 2026-11.
 */
const alsoUsed = 0.5;

export function readConventions(document: Document): Conventions {
  const layout = textRunsOf({ ...document, pages: document.pages.slice(0, sampledPages) });
  const { mark, order, dollar, currencies } = readLocale(layout);
  const votes = { ",": 0, ".": 0 };
  for (const page of layout.pages) {
    for (const { text } of page.runs) {
      const some = markVotes(text.slice(0, 500));
      votes[","] += some[","];
      votes["."] += some["."];
    }
  }
  const other = mark === "." ? "," : ".";
  return { marks: votes[other] >= alsoUsed * votes[mark] ? [mark, other] : [mark], order, dollar, currencies };
}
