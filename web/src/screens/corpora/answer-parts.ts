/** Positions of the citation numbers in the text of an answer. */
import type { Citation } from "@sheaf/client";

export interface AnswerPart {
  text: string;
  /** Numbers (from 1) of the citations that support the text before them. */
  numbers: number[];
}

/**
 * Cuts an answer after each part that citations support. Answers of earlier versions have citations
 * without ranges; those are put at the end.
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
