/**
 * Defines the terms column of a passage, which is both searched and read. It has three parts,
 * separated by `mark`: the terms of the title, the terms of name and headings, and the terms of the
 * text. The last word of the column is JSON with the data of the hit, such as its document and
 * page. This word is too long to be indexed. It is in this column because reading a second column
 * would take half a millisecond for each question.
 */
import { sentenceEnd } from "./analyzer.ts";
import type { Hit } from "./passage-index.ts";
import { space } from "./term-hash.ts";

type HitFields = Omit<Hit, "score">;

/** Separator between two parts of the column. It is never a term. */
export const mark = "|";

/** Maximum length of an indexed word, in bytes of UTF-8. Terms have at most 64 characters. */
export const maxIndexedBytes = 256;

/**
 * Replaces each space in the JSON of a hit. This character cannot occur in the JSON itself, because
 * JSON escapes it.
 */
const blank = "\u0001";

export const termsColumn = (title: string, about: string, text: string): string =>
  [title, mark, about, mark, text].join(" ");

export function withHit(terms: string, hit: HitFields): string {
  const json = JSON.stringify(hit)
    .replaceAll(" ", blank)
    // Escapes all other Unicode white space, because the index would split the word there.
    .replace(/[\s\u0085]/gu, (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${terms} ${json.padEnd(maxIndexedBytes + 1, blank)}`;
}

/**
 * Returns the offset, in bytes, at which the terms of a column end: the offset of the space before
 * the data of the hit.
 */
export const termsEnd = (column: Buffer): number => column.lastIndexOf(space);

/** Returns the indexed terms of a passage. */
export const termsOf = (column: Buffer): string[] =>
  column
    .toString("utf8", 0, termsEnd(column))
    .split(" ")
    .filter((term) => term !== "" && term !== mark && term !== sentenceEnd);

export const hitOf = (column: Buffer): HitFields =>
  JSON.parse(column.toString("utf8", termsEnd(column) + 1).replaceAll(blank, " "));
