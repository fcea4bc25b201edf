/**
 * Reads the terms of the passages that a search found, and converts them to vocabulary ids for
 * `ranking.ts`.
 */
import { sentenceEnd } from "./analyzer.ts";
import { emptyHash, hashedOn, space } from "./term-hash.ts";
import { mark, termsEnd } from "./terms-column.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface CandidateTerms {
  /** Key of the title. It is the same for all passages with this title. */
  title: string;
  /**
   * Ids of the terms of title and text. An id of -1 marks the end of a sentence. The text begins at
   * index `text`.
   */
  ids: readonly number[];
  text: number;
  /** Distinct ids of the terms of title, name and headings. */
  about: readonly number[];
  /** Number of terms in `about` and in the text. */
  length: number;
}

const [markByte, endByte] = [mark.charCodeAt(0), sentenceEnd.charCodeAt(0)];

/** Reads a terms column, and adds its new words to the vocabulary. */
export function candidateOf(column: Buffer, vocabulary: Vocabulary): CandidateTerms {
  const ids: number[] = [];
  const heads = new Set<number>();
  let [marks, text, ends, titleEnd] = [0, 0, 0, 0];
  let start = 0;
  let hash = emptyHash;
  const end = termsEnd(column);
  for (let at = 0; at <= end; at++) {
    const byte = column[at] ?? 0;
    if (byte !== space) {
      hash = hashedOn(hash, byte);
      continue;
    }
    const first = at - start === 1 ? column[start] : 0;
    if (first === markByte) {
      marks++;
      if (marks === 1) titleEnd = start;
      else if (marks === 2) text = ids.push(-1);
    } else if (first === endByte) {
      if (marks === 2) ends++;
      if (marks !== 1) ids.push(-1);
    } else if (at > start) {
      const id = vocabulary.idOf(column, start, at, hash);
      if (marks < 2) heads.add(id);
      if (marks !== 1) ids.push(id);
    }
    start = at + 1;
    hash = emptyHash;
  }
  const title = column.toString("latin1", 0, Math.max(0, titleEnd - 1));
  return { title, ids, text, about: [...heads], length: heads.size + ids.length - text - ends };
}
