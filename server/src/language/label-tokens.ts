/**
 * Splits labels into tokens: folded sequences of letters or of digits. The tokens are compared with
 * the word families of the lexicon.
 */
import { foldLabel } from "./folding.ts";

/**
 * Splits an identifier (`issueDate`, `issue_date`) into words. Other names are not changed:
 * `USt-IdNr.` is not an identifier.
 */
export function spellOut(name: string): string {
  if (!/^[\p{L}\p{N}_]+$/u.test(name)) return name.replaceAll("_", " ");
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_]+/g, " ");
}

export interface LabelToken {
  text: string;
  /** True if a sentence end or other punctuation is between this token and the previous one. */
  parted: boolean;
}

const tokenPattern = /n[°º]|[#№]|\p{L}[\p{L}\p{M}_]*|\p{N}+/gu;

/**
 * Returns the folded tokens of a text. Letters and digits are in separate tokens. Punctuation is
 * dropped, but recorded in `parted`.
 */
export function labelTokensOf(text: string): LabelToken[] {
  const folded = foldLabel(text);
  const found: LabelToken[] = [];
  let end = 0;
  for (const match of folded.matchAll(tokenPattern)) {
    const between = folded.slice(end, match.index);
    // A dot after a short word ends an abbreviation ("inkl. USt"), not a sentence.
    const sentenceEnd = /\.\s/.test(between) && (found.at(-1)?.text.length ?? 0) > 5;
    found.push({ text: match[0], parted: found.length > 0 && (sentenceEnd || /[,;:!?()[\]|]/.test(between)) });
    end = match.index + match[0].length;
  }
  return found;
}
