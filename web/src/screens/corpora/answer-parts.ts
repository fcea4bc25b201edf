/** Splits an answer at the points where its citation numbers are shown. */
import type { Citation } from "@sheaf/client";

export interface AnswerPart {
  text: string;
  /** Numbers of the citations that support this part, counted from 1. */
  numbers: number[];
}

/**
 * Splits an answer at the end of each text range that a citation supports. Citations stored by
 * earlier versions have no ranges, so their numbers are shown at the end of the answer.
 */
export function answerParts(answer: string, citations: readonly Pick<Citation, "ranges">[]): AnswerPart[] {
  const numbersAt = new Map<number, Set<number>>();
  citations.forEach(({ ranges }, index) => {
    const ends = ranges?.map(({ end }) => Math.min(Math.max(end, 0), answer.length)) ?? [];
    for (const end of ends.length > 0 ? ends : [answer.length]) {
      const numbers = numbersAt.get(end) ?? new Set();
      numbersAt.set(end, numbers.add(index + 1));
    }
  });
  const parts: AnswerPart[] = [];
  let start = 0;
  for (const [end, numbers] of [...numbersAt].sort(([a], [b]) => a - b)) {
    parts.push({ text: answer.slice(start, end), numbers: [...numbers].sort((a, b) => a - b) });
    start = end;
  }
  if (start < answer.length) parts.push({ text: answer.slice(start), numbers: [] });
  return parts;
}
