/**
 * Rules for requests that classify the pages of a file: a model that makes no mistakes, and one
 * that invents.
 */
import { createHash } from "node:crypto";
import type { Rule } from "./rules.ts";

export interface TrueSegment {
  /** Page numbers, both inclusive. The first page is 1. */
  start: number;
  end: number;
  label: string;
  /** Description of a class that was not given. */
  description?: string;
}

interface Said extends Required<Omit<TrueSegment, "description">> {
  description: string | null;
  quote: string;
}

/** Returns the true labels of the pages it receives, each with a row of the page as the quote. */
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
 * Like the rule above, but invents a share of the segments, in each of the ways below in turn.
 * Calls `onInvented` for each.
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
  // A label that was not given, without and with a description.
  (segment) => [{ ...segment, label: "zorvane paper", quote: unwritten }],
  (segment) => [{ ...segment, label: "zorvane paper", description: "Papers of a zorvane.", quote: unwritten }],
  (segment) => [{ ...segment, label: "zorvane paper" }],
  // A quote with words that do not occur.
  (segment) => [{ ...segment, quote: unwritten }],
  (segment) => [{ ...segment, quote: "" }],
  // Page ranges that do not exist, are reversed, or belong to other segments.
  (segment) => [{ ...segment, start: -3, end: 100_000, quote: unwritten }],
  (segment) => [{ ...segment, start: segment.end + 1, end: segment.start }],
  (segment) => [segment, { ...segment, start: segment.start - 1, end: segment.end + 2, quote: unwritten }],
  () => [],
  // A quote from the segment that does not support the label.
  (segment) => [{ ...segment, label: "zorvane paper", description: "Papers of a zorvane." }],
  (segment, all) => [{ ...segment, label: all.find(({ label }) => label !== segment.label)?.label ?? "" }],
];

function pagesIn(prompt: string): Map<number, string> {
  const found = prompt.matchAll(/^\[page (\d+)\]\n([\s\S]*?)(?=\n\n\[page \d+\]\n|\n<\/pages-)/gmu);
  return new Map([...found].map(([, number, text]) => [Number(number), text ?? ""]));
}

/** Returns the first row with a word, if it was shown. */
function rowOf(text: string): string {
  const row = text.split("\n").find((each) => each !== "(blank)" && /\p{L}{3}/u.test(each)) ?? "";
  return row.replace(/ …$/u, "");
}
