/** The column that is searched: the terms of the title, of what else is said about a passage, and of its text, with a mark between. */
const mark = "|";

export const termsColumn = (title: string, about: string, text: string): string =>
  [title, mark, about, mark, text].join(" ");

/** The three parts; each "" where it has no terms. */
export function partsOf(terms: string): [title: string, about: string, text: string] {
  const first = terms.indexOf(mark);
  const second = terms.indexOf(mark, first + 1);
  return [terms.slice(0, first).trim(), terms.slice(first + 1, second).trim(), terms.slice(second + 1).trim()];
}
