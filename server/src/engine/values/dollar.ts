/** Determines which currency a bare `$` stands for, from words that point to a country. */
import { withoutOtherMarks } from "./currencies.ts";

interface DollarVotes {
  code: string;
  pattern: RegExp;
}

/**
 * Patterns that each point to one country: registers, taxes, postcodes, legal forms and places that
 * exist only there.
 */
const evidence: readonly DollarVotes[] = [
  {
    code: "AUD",
    pattern:
      /(?<!\p{L})(?:A\.?B\.?N|A\.?C\.?N|BSB)(?!\p{L})|(?<!\p{L})(?:NSW|QLD|VIC|TAS|ACT|WA|SA|NT) \d{4}(?!\d)|Pty\.? Ltd/u,
  },
  {
    code: "CAD",
    pattern: /(?<!\p{L})(?:HST|QST|TVQ|TPS)(?!\p{L})|(?<![\p{L}\d])[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d(?![\p{L}\d])/u,
  },
  { code: "SGD", pattern: /(?<!\p{L})(?:UEN(?!\p{L})|Singapore \d{6}(?!\d)|Pte\.? Ltd)/u },
  { code: "NZD", pattern: /(?<!\p{L})(?:NZBN|New Zealand|Auckland|Wellington \d{4})(?!\p{L})/u },
  { code: "HKD", pattern: /(?<!\p{L})(?:Hong ?Kong|Kowloon)(?!\p{L})/iu },
];
const written = /(?<!\p{L})(USD|AUD|CAD|SGD|NZD|HKD|US\$|A\$|C\$|S\$|NZ\$|HK\$)(?!\p{L})/gu;
const codes: Readonly<Record<string, string>> = {
  US$: "USD",
  A$: "AUD",
  C$: "CAD",
  S$: "SGD",
  NZ$: "NZD",
  HK$: "HKD",
};
/**
 * Number of votes that each currency code in the text adds. A word that points to a country adds
 * only one vote. Chosen by hand, 2026-11.
 */
const weightOfCode = 5;

/**
 * Returns the ISO 4217 code of the currency that a bare `$` stands for in these texts. Returns USD
 * if there are no votes, or if the two leading currencies are tied.
 */
export function readDollar(texts: Iterable<string>): string {
  const votes = new Map<string, number>();
  const vote = (code: string, weight: number): unknown => votes.set(code, (votes.get(code) ?? 0) + weight);
  for (const text of texts) {
    for (const match of withoutOtherMarks(text).matchAll(written))
      vote(codes[match[1] ?? ""] ?? match[1] ?? "", weightOfCode);
    for (const { code, pattern } of evidence) if (pattern.test(text)) vote(code, 1);
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : "USD";
}
