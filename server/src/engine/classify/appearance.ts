/** Scores document kinds by the page layout, in addition to the words. */
import { kindCount, kindOf } from "./kind-scores.ts";
import type { PageFacts } from "./page-facts.ts";

type Looks = Pick<PageFacts, "prose" | "digits" | "fields" | "words" | "width" | "height" | "opening" | "flow">;

/** Returns the score that the layout adds for each document kind. */
export function lookScores(page: Looks): Float64Array {
  const scores = new Float64Array(kindCount);
  const add = (label: string, score: number) => {
    const kind = kindOf.get(label);
    if (kind !== undefined) scores[kind] = (scores[kind] ?? 0) + score;
  };
  const running = page.words > 150 ? Math.max(0, page.prose - 0.35) : 0;
  add("article", 3.2 * running * (page.opening.salutation ? 0.2 : 1));
  add("report", 1.2 * running);
  add("contract", 0.8 * running);
  add("book", 0.8 * running);
  add("letter", (page.opening.salutation ? 1.6 : 0) + 0.6 * running);
  // Short scattered text that is neither prose nor numbers suggests a form.
  const scattered = page.words > 20 && page.words < 450 ? Math.max(0, 0.5 - page.prose - page.digits) : 0;
  add("form", Math.min(1.6, 4 * page.fields) + scattered);
  const narrow = page.height > 1.75 * page.width;
  // Text files and workbooks (flow geometry) are never till receipts.
  add("receipt", page.flow ? -1.5 : 0);
  add("receipt", (narrow ? 1.4 : 0) + (page.digits > 0.25 && page.words < 220 ? 0.4 : 0));
  add("list", page.digits > 0.45 ? 0.7 : 0);
  return scores;
}
