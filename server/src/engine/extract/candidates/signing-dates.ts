/**
 * Finds dates of signing. They stand beside a signature, or above a caption such as "Place, date |
 * Signature".
 */

import type { TextRun } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { labelTerms } from "../labels/label-scores.ts";
import type { DocumentView } from "./document-view.ts";
import { type Candidate, scored } from "./find-candidates.ts";

/** Score of a date beside a signature. Chosen by hand, 2026-11. */
const besideSignature = 0.85;
/**
 * Maximum gap between a date and the caption below it, in line heights. Chosen by hand, 2026-11.
 */
const maxCaptionGap = 2;
/** Maximum length, in UTF-16 units, of a text that marks a signature. Chosen by hand, 2026-11. */
const maxCaptionLength = 70;

/** Returns true if the field asks when something was signed. */
export const asksForSigning = (query: AskedField): boolean =>
  query.phrases.some(({ terms }) => terms.some((families) => families.includes("signature")));

/**
 * Returns dates beside a signature or above its caption. The last one in the document comes first.
 */
export function signingDates(query: AskedField, view: DocumentView): Candidate[] {
  return view
    .places("date")
    .filter(({ page, run }) => {
      const row = page.rows[run.row] ?? [];
      const caption = (page.rows[run.row + 1] ?? []).filter((other) => isCaption(other, run));
      return [...row, ...caption].some((other) => other.text.length <= maxCaptionLength && isSignature(other.text));
    })
    .map((place) => ({ ...scored(query, place), score: besideSignature }))
    .reverse();
}

const isCaption = (below: TextRun, run: TextRun): boolean =>
  below.box[1] - run.box[3] < maxCaptionGap * run.height && !/[\d:]/.test(below.text);

const isSignature = (text: string): boolean =>
  labelTerms(text).some((term) => term.weight > 0 && term.texts.includes("signature"));
