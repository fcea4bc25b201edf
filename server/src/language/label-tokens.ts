/**
 * Tokens of labels: folded runs of letters or digits, compared with the word families of the
 * lexicon.
 */
import { foldLabel } from "./folding.ts";

/**
 * Splits a name in code style (`issueDate`, `issue_date`) into words. Leaves other names unchanged:
 * `USt-IdNr.` is not code.
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
  /** True if a sentence or phrase mark is between the previous token and this one. */
  parted: boolean;
}

const tokenPattern = /n[°º]|[#№]|\p{L}[\p{L}\p{M}_]*|\p{N}+/gu;

/**
 * Returns folded tokens. Letters and digits are separate tokens. Punctuation is dropped, and noted
 * in `parted`.
 */
export function labelTokensOf(text: string): LabelToken[] {
  const folded = foldLabel(text);
  const found: LabelToken[] = [];
  let end = 0;
  for (const match of folded.matchAll(tokenPattern)) {
    const between = folded.slice(end, match.index);
    // The dot of a short word ends an abbreviation ("inkl. USt"), not a sentence.
    const sentenceEnd = /\.\s/.test(between) && (found.at(-1)?.text.length ?? 0) > 5;
    found.push({ text: match[0], parted: found.length > 0 && (sentenceEnd || /[,;:!?()[\]|]/.test(between)) });
    end = match.index + match[0].length;
  }
  return found;
}
