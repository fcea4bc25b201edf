/** Titles of threads. */

/** Maximum length of a title that is made from a question, in characters. */
const maxCharacters = 80;

/**
 * Returns the beginning of a question on one line, cut between words if possible. Leaves out
 * control characters, and characters that change the direction of text.
 */
export function titleOf(query: string): string {
  const characters = [...query.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim()];
  if (characters.length === 0) return "…";
  if (characters.length <= maxCharacters) return characters.join("");
  const cut = characters.slice(0, maxCharacters - 1).join("");
  const lastSpace = cut.lastIndexOf(" ");
  return `${lastSpace > maxCharacters / 2 ? cut.slice(0, lastSpace) : cut.trimEnd()}…`;
}
