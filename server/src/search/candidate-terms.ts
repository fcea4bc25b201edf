/** The passages that a question has found, as numbers: what `ranking.ts` counts in. */
import { sentenceEnd } from "./analyzer.ts";
import { mark } from "./terms-column.ts";

export interface CandidateTerms {
  /** The terms of the title as they stand in the column. */
  title: string;
  /** Ids of the terms of title and text; -1 where a sentence ends. The text begins at `text`. */
  ids: readonly number[];
  text: number;
  /** Ids of title, name and headings, each once. */
  about: readonly number[];
  /** How many terms there are in `about` and the text. */
  length: number;
}

/** Ids of words in the order in which they came. */
export type Vocabulary = Map<string, number>;

/** Of the contents of a terms column; adds its words to the vocabulary. */
export function candidateOf(column: string, vocabulary: Vocabulary): CandidateTerms {
  const ids: number[] = [];
  const heads = new Set<number>();
  let marks = 0;
  let text = 0;
  let ends = 0;
  for (const word of column.split(" ")) {
    if (word === mark && ++marks === 2) {
      ids.push(-1);
      text = ids.length;
    }
    if (word === mark || word === "") continue;
    let id = -1;
    if (word !== sentenceEnd) {
      const known = vocabulary.get(word);
      id = known ?? vocabulary.size;
      if (known === undefined) vocabulary.set(word, id);
    } else if (marks === 2) ends++;
    if (marks < 2 && id >= 0) heads.add(id);
    if (marks !== 1) ids.push(id);
  }
  const title = column.slice(0, Math.max(0, column.indexOf(mark) - 1));
  return { title, ids, text, about: [...heads], length: heads.size + ids.length - text - ends };
}
