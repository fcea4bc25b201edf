/** A quote of a model → where it stands in a text, whatever happened to its case, white space, hyphens and quotation marks. */

export interface Span {
  start: number;
  end: number;
}

interface Folded {
  text: string;
  /** For each unit of the folded text, where the character that it comes from begins; and where each ends. */
  starts: number[];
  ends: number[];
}

const gaps = /\s*[[(]?(?:\.{3}|…)[\])]?\s*/u;
const wordUnit = /[\p{L}\p{N}]/u;

/**
 * The spans of the parts of the quote, which an ellipsis parts, in the order in which they stand; undefined where one of them does not
 * stand in the text as whole words.
 */
export function spansOf(quote: string, text: string): Span[] | undefined {
  const folded = fold(text);
  const spans: Span[] = [];
  let from = 0;
  for (const part of quote.split(gaps)) {
    const wanted = fold(part).text.trim();
    if (!wordUnit.test(wanted)) continue;
    const at = wholeWordsAt(folded.text, wanted, from);
    if (at < 0) return undefined;
    from = at + wanted.length;
    spans.push({ start: folded.starts[at] as number, end: folded.ends[from - 1] as number });
  }
  return spans.length === 0 ? undefined : spans;
}

function wholeWordsAt(text: string, wanted: string, from: number): number {
  for (let at = text.indexOf(wanted, from); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (!isWithinWord(text, at) && !isWithinWord(text, end)) return at;
  }
  return -1;
}

/** Letters of scripts without spaces part words by themselves. */
const isWithinWord = (text: string, at: number): boolean =>
  /[\p{L}\p{N}]{2}/u.test(text.slice(Math.max(0, at - 1), at + 1)) &&
  at > 0 &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text.slice(at - 1, at + 1));

function fold(text: string): Folded {
  const folded: Folded = { text: "", starts: [], ends: [] };
  const put = (units: string, start: number, end: number) => {
    for (let unit = 0; unit < units.length; unit++) {
      folded.starts.push(start);
      folded.ends.push(end);
    }
    folded.text += units;
  };
  // A word that is parted at the end of a line, and what is not seen, leave nothing; white space of any length is one space.
  for (const match of text.matchAll(/-\n(?=\p{Ll})|[\u00ad\u200b-\u200d\ufeff]|\s+|[^\s]/gu)) {
    const [found] = match;
    const end = match.index + found.length;
    if (found.length > 1 && found.startsWith("-")) continue;
    if (/^[\u00ad\u200b-\u200d\ufeff]$/u.test(found)) continue;
    put(/^\s/u.test(found) ? " " : unified(found), match.index, end);
  }
  return folded;
}

const unified = (char: string): string => {
  if (/[\u2018\u2019\u201a\u201b\u2032`\u00b4]/u.test(char)) return "'";
  if (/["\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033]/u.test(char)) return '"';
  if (/\p{Pd}|\u2212/u.test(char)) return "-";
  return char.normalize("NFKC").toLowerCase();
};
