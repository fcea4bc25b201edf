/**
 * Defines the column that is searched and read. It contains the terms of the title, of other data
 * about a passage, and of its text, separated by marks. Its last word is the data of the hit, which
 * is too long to be indexed. The data is in this column because reading a second one would take
 * half a millisecond per question.
 */
import { sentenceEnd } from "./analyzer.ts";
import type { Hit } from "./passage-index.ts";
import { space } from "./term-hash.ts";

type HitFields = Omit<Hit, "score">;

/** Separates the parts of the column. Never a term. */
export const mark = "|";

/** Maximum bytes (UTF-8) of an indexed word. Terms have at most 64 characters. */
export const maxIndexedBytes = 256;

/** Replaces spaces in the JSON of a hit. JSON escapes this character, so it is unambiguous. */
const blank = "\u0001";

export const termsColumn = (title: string, about: string, text: string): string =>
  [title, mark, about, mark, text].join(" ");

export function withHit(terms: string, hit: HitFields): string {
  const json = JSON.stringify(hit)
    .replaceAll(" ", blank)
    // Escapes other Unicode white space, at which the index splits words.
    .replace(/[\s\u0085]/gu, (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${terms} ${json.padEnd(maxIndexedBytes + 1, blank)}`;
}

/** Returns the end of the terms in the bytes of a column: the space before the hit. */
export const termsEnd = (column: Buffer): number => column.lastIndexOf(space);

/** Returns the indexed terms of a passage. */
export const termsOf = (column: Buffer): string[] =>
  column
    .toString("utf8", 0, termsEnd(column))
    .split(" ")
    .filter((term) => term !== "" && term !== mark && term !== sentenceEnd);

export const hitOf = (column: Buffer): HitFields =>
  JSON.parse(column.toString("utf8", termsEnd(column) + 1).replaceAll(blank, " "));
