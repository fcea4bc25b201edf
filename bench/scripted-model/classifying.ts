/**
 * Rules of the scripted model for requests that classify pages. One rule makes no mistakes, the
 * other rule invents labels.
 */
import { createHash } from "node:crypto";
import type { Rule } from "./rules.ts";

export interface TrueSegment {
  /** First and last page, both inclusive, counted from 1. */
  start: number;
  end: number;
  label: string;
  /** Description of the class, if the class was not given in the request. */
  description?: string;
}

interface Said extends Required<Omit<TrueSegment, "description">> {
  description: string | null;
  quote: string;
}

/**
 * Returns a rule that gives the correct labels of the pages in the prompt. The quote of a segment
 * is a line from one of its pages.
 */
export function classifying(truth: () => readonly TrueSegment[]): Rule {
  return ({ prompt }) => {
    const pages = pagesIn(prompt);
    const segments = truth().flatMap(({ start, end, label, description = null }): Said[] => {
      const shown = [...pages.keys()].filter((page) => start <= page && page <= end);
      const first = shown[0];
      if (first === undefined) return [];
      const quote = shown.map((page) => rowOf(pages.get(page) ?? "")).find((row) => row !== "") ?? "";
      return [{ start: first, end: shown.at(-1) as number, label, description, quote }];
    });
    return { segments };
  };
}

/**
 * Like `classifying`, but invents a share of the segments. Uses the functions of `inventions` in
 * turn, and calls `onInvented` for each segment that it replaces.
 */
export function misclassifying(
  share: number,
  truth: () => readonly TrueSegment[],
  onInvented: (segment: TrueSegment) => void = () => {},
): Rule {
  let way = 0;
  return async (request) => {
    const { segments } = (await classifying(truth)(request)) as { segments: Said[] };
    const said = segments.flatMap((segment, at) => {
      const roll = createHash("sha256").update(`${segment.start} ${segment.quote} ${at}`).digest();
      if (roll.readUInt32BE() / 2 ** 32 >= share) return [segment];
      onInvented({ start: segment.start, end: segment.end, label: segment.label });
      return (inventions[way++ % inventions.length] as Invention)(segment, segments);
    });
    return { segments: said };
  };
}

type Invention = (segment: Said, all: readonly Said[]) => Said[];

const unwritten = "Zorvane Quexil Brumptious";
const inventions: readonly Invention[] = [
  // An invented label: with an invented quote, with an invented description and quote, and with the
  // correct quote.
  (segment) => [{ ...segment, label: "zorvane paper", quote: unwritten }],
  (segment) => [{ ...segment, label: "zorvane paper", description: "Papers of a zorvane.", quote: unwritten }],
  (segment) => [{ ...segment, label: "zorvane paper" }],
  // Keeps the correct label: once with a quote that is not on the page, once with an empty quote.
  (segment) => [{ ...segment, quote: unwritten }],
  (segment) => [{ ...segment, quote: "" }],
  // Page ranges that do not exist, end before they start, or overlap other segments. Also no
  // segment at all.
  (segment) => [{ ...segment, start: -3, end: 100_000, quote: unwritten }],
  (segment) => [{ ...segment, start: segment.end + 1, end: segment.start }],
  (segment) => [segment, { ...segment, start: segment.start - 1, end: segment.end + 2, quote: unwritten }],
  () => [],
  // A wrong label, whose quote is on the page but does not support the label.
  (segment) => [{ ...segment, label: "zorvane paper", description: "Papers of a zorvane." }],
  (segment, all) => [{ ...segment, label: all.find(({ label }) => label !== segment.label)?.label ?? "" }],
];

function pagesIn(prompt: string): Map<number, string> {
  const found = prompt.matchAll(/^\[page (\d+)\]\n([\s\S]*?)(?=\n\n\[page \d+\]\n|\n<\/pages-)/gmu);
  return new Map([...found].map(([, number, text]) => [Number(number), text ?? ""]));
}

/** Returns the first line that contains a word; an empty string if there is none. */
function rowOf(text: string): string {
  const row = text.split("\n").find((each) => each !== "(blank)" && /\p{L}{3}/u.test(each)) ?? "";
  return row.replace(/ …$/u, "");
}
