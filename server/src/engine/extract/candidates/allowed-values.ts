/** Finds candidate values of a field whose description lists the allowed values. */

import { whole } from "../../page/run-spans.ts";
import { wordsBetween } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import { byScore, type Candidate } from "./find-candidates.ts";
import { textCandidates, toCandidate } from "./labelled-text.ts";

/**
 * Score of an allowed value that stands in the document without a label. Chosen by hand, 2026-11.
 */
const bareAllowed = 0.45;

/**
 * Returns the allowed values that the document contains: those with a label and, if only one
 * distinct allowed value occurs, also those without a label.
 */
export function allowedCandidates(query: AskedField, view: DocumentView): Candidate[] {
  const labelled = textCandidates(query, view.pairs(), view.asked).flatMap((candidate) =>
    withAllowed(query, candidate),
  );
  const bare = view.layout.pages.flatMap((page) =>
    page.runs.flatMap((run) => withAllowed(query, toCandidate(whole(page, run), bareAllowed))),
  );
  const unique = new Set(bare.map((candidate) => candidate.value)).size === 1;
  return [...labelled, ...(unique ? bare : [])].sort(byScore);
}

/**
 * Reduces the candidate to the allowed value that its text contains. Returns an empty array if the
 * text contains none of the allowed values, or several.
 */
function withAllowed(query: AskedField, candidate: Candidate): Candidate[] {
  const text = candidate.run.text.slice(candidate.start, candidate.end);
  const found = query.allowed.flatMap((allowed) => {
    const at = wordIndex(text.toLowerCase(), allowed.toLowerCase());
    return at < 0 ? [] : [{ allowed, start: candidate.start + at, end: candidate.start + at + allowed.length }];
  });
  const [only] = found;
  if (found.length !== 1 || !only) return [];
  const words = wordsBetween(candidate.run, only.start, only.end);
  return [{ ...candidate, value: only.allowed, words, start: only.start, end: only.end, match: "normalized" }];
}

/** Returns the index at which `word` occurs as a separate word; -1 if it does not. */
function wordIndex(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = (text[at - 1] ?? " ") + (text[at + word.length] ?? " ");
    if (!/[\p{L}\p{N}]/u.test(around)) return at;
  }
  return -1;
}
