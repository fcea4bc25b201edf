/** How much akin two words are: 0 to 1. */

/** The runs of three characters of a word, its ends marked. */
export function trigramsOf(word: string): Set<string> {
  const marked = `_${word}_`;
  const trigrams = new Set<string>();
  for (let i = 0; i + 3 <= marked.length; i++) trigrams.add(marked.slice(i, i + 3));
  return trigrams;
}

/**
 * The greater of two shares: that of the longer word that the shorter one makes, where it stands inside it, and that of the trigrams that two words
 * with the same beginning have in common (Dice), from a half on.
 */
export function kinship(term: string, trigrams: ReadonlySet<string>, word: string): number {
  if (word.length < 4) return 0;
  if (word.length > term.length ? word.includes(term) : term.includes(word))
    return Math.min(word.length, term.length) / Math.max(word.length, term.length);
  if (word[0] !== term[0]) return 0;
  let common = 0;
  for (let i = -1; i + 2 <= word.length; i++) {
    const trigram = i < 0 ? `_${word.slice(0, 2)}` : i + 3 > word.length ? `${word.slice(i)}_` : word.slice(i, i + 3);
    if (trigrams.has(trigram)) common++;
  }
  const dice = (2 * common) / (word.length + trigrams.size);
  return dice >= 0.5 ? Math.min(1, dice) : 0;
}
