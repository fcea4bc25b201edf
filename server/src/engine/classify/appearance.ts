/** Scores document kinds by the page layout, in addition to the words. */
import { appearanceWeights } from "./appearance-weights.ts";
import { kindCount, kindOf } from "./kind-scores.ts";
import type { PageFacts } from "./page-facts.ts";

type Looks = Pick<PageFacts, "prose" | "digits" | "fields" | "words" | "width" | "height" | "opening" | "flow">;

/** Returns the score that the layout adds for each document kind. */
export function lookScores(page: Looks): Float64Array {
  const w = appearanceWeights;
  const scores = new Float64Array(kindCount);
  const add = (label: string, score: number) => {
    const kind = kindOf.get(label);
    if (kind !== undefined) scores[kind] = (scores[kind] ?? 0) + score;
  };
  const running = page.words > 150 ? Math.max(0, page.prose - w.proseFrom) : 0;
  add("article", w.article * running * (page.opening.salutation ? w.articleWithSalutation : 1));
  add("report", w.report * running);
  add("contract", w.contract * running);
  add("book", w.book * running);
  add("letter", (page.opening.salutation ? w.salutation : 0) + w.letter * running);
  // A page with few words, of which few are in prose or have digits, may be a form.
  const scattered = page.words > 20 && page.words < 450 ? Math.max(0, w.scatteredBelow - page.prose - page.digits) : 0;
  add("form", Math.min(w.maxFields, w.fields * page.fields) + scattered);
  const narrow = page.height > w.narrowFrom * page.width;
  // Files without fixed pages (`flow`), such as text files and workbooks, are never till receipts.
  add("receipt", page.flow ? w.receiptInFlow : 0);
  add(
    "receipt",
    (narrow ? w.narrowReceipt : 0) + (page.digits > w.receiptDigits && page.words < 220 ? w.receiptOfDigits : 0),
  );
  add("list", page.digits > w.listDigits ? w.list : 0);
  return scores;
}
