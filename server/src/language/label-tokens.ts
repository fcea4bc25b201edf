/** Text in the form that labels are compared in: folded, cut into tokens, lightly stemmed. */

const dashes = /[‐-―−]/g;

/** Lower case without accents; one character may become more (`ß` to `ss`), so offsets don't survive. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ø/g, "o")
    .replace(dashes, "-")
    .replace(/[’‘`´]/g, "'");
}

/** Words of a name in code style (`issueDate`, `issue_date`) parted by spaces. Other names stay: `USt-IdNr.` is no code. */
export function spellOut(name: string): string {
  if (!/^[\p{L}\p{N}_]+$/u.test(name)) return name.replaceAll("_", " ");
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_]+/g, " ");
}

export interface Token {
  text: string;
  /** True where a sentence or phrase mark stands between this token and the one before. */
  parted: boolean;
}

const tokenPattern = /n[°º]|[#№]|\p{L}[\p{L}\p{M}_]*|\p{N}+/gu;

/** Folded tokens; letters and digits part from each other, punctuation is gone but remembered in `parted`. */
export function tokens(text: string): Token[] {
  const folded = fold(text);
  const found: Token[] = [];
  let end = 0;
  for (const match of folded.matchAll(tokenPattern)) {
    const between = folded.slice(end, match.index);
    // The dot of a short word ends an abbreviation ("inkl. USt"), no sentence.
    const sentenceEnd = /\.\s/.test(between) && (found.at(-1)?.text.length ?? 0) > 5;
    found.push({ text: match[0], parted: found.length > 0 && (sentenceEnd || /[,;:!?()[\]|]/.test(between)) });
    end = match.index + match[0].length;
  }
  return found;
}

/** Takes off the plural and case endings that the languages of the lexicon share. Crude on purpose: both sides are cut alike. */
export function stem(word: string): string {
  if (word.length < 5) return word;
  return word.replace(/(?:ungen|ung)$/, "ung").replace(/(?:en|es|er|e|s|n)$/, "");
}
