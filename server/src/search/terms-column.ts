/** The column that is searched: the terms of the title, of what else is said about a passage, and of its text, with a mark between. */

/** Never a term. */
export const mark = "|";

export const termsColumn = (title: string, about: string, text: string): string =>
  [title, mark, about, mark, text].join(" ");
