/** Builds the requests that ask a language model about the pages of a file. */
import type { classificationModes } from "@sheaf/contract/classification.ts";
import type { AssessedPage } from "../classify/page-assessment.ts";
import type { ClassifyRequest } from "../engine.ts";
import { dataBlock, dataRule, fillable } from "./data-block.ts";
import { estimateTokens } from "./model-client.ts";

export const system = `You find the documents that the pages of a file belong to, and say of which class each is.

${dataRule("The pages stand")}

Of every page you are shown the number and the rows that tell most of it. Answer the segments in the order of their pages: start and end are the
numbers of the first and the last page, both inclusive, and every page that is shown is in one segment. Pages may be left out between those that
are shown. The label is that of a class that is given, letter by letter, and its description null. Where none is given or none fits, the label is a
short English name of the kind of document, as "delivery note", and the description one sentence on such documents. The quote is a short run of
words of the segment's first page, copied letter by letter, that shows of which kind the document is, as its title.`;

const segmentsOf: Record<(typeof classificationModes)[number], string> = {
  auto: "A segment is a run of pages that is one document: a letter, an invoice, an article. It ends where the next document begins.",
  page: "Every page is a segment of its own: its start and its end are the same.",
  document: "All pages together are one segment.",
};

export const answerSchema = {
  type: "object",
  properties: {
    segments: {
      type: "array",
      items: {
        type: "object",
        properties: {
          start: { type: "integer" },
          end: { type: "integer" },
          label: { type: "string" },
          description: { type: ["string", "null"] },
          quote: { type: "string" },
        },
        required: ["start", "end", "label", "description", "quote"],
        additionalProperties: false,
      },
    },
  },
  required: ["segments"],
  additionalProperties: false,
};

/** A segment as the model returns it. */
export interface SaidSegment {
  start: number;
  end: number;
  label: string;
  description: string | null;
  quote: string;
}

/**
 * Maximum number of pages in a request. With more, a response that describes all of them could be
 * too long. Chosen by hand, 2026-11.
 */
const mostPages = 40;
/**
 * Minimum number of tokens that a request reserves for pages, even if the description of the
 * classes is long. Chosen by hand, 2026-11.
 */
const minRoom = 500;

/**
 * Returns the page numbers of each request. A request that continues directly after the previous
 * one also contains the last page of the previous request.
 */
export function windowsOf(
  shown: readonly number[],
  pages: readonly AssessedPage[],
  request: Pick<ClassifyRequest, "classes" | "mode">,
  maxInputTokens: number,
): number[][] {
  const around = estimateTokens(system + JSON.stringify(answerSchema) + promptOf([], pages, request));
  const room = Math.max(minRoom, maxInputTokens * fillable - around);
  const needed = (number: number): number => estimateTokens(textOf(number, pages));
  const windows: number[][] = [];
  let current: number[] = [];
  let tokens = 0;
  for (const number of shown) {
    const overlap = current.at(-1) === number - 1 ? [number - 1] : [];
    const isFull = current.length >= mostPages || tokens + needed(number) > room;
    if (isFull && current.length > overlap.length) {
      windows.push(current);
      current = overlap;
      tokens = overlap.reduce((sum, each) => sum + needed(each), 0);
    }
    current.push(number);
    tokens += needed(number);
  }
  if (current.length > 0) windows.push(current);
  return windows;
}

export function promptOf(
  window: readonly number[],
  pages: readonly AssessedPage[],
  { classes, mode }: Pick<ClassifyRequest, "classes" | "mode">,
): string {
  const given = classes.map(({ label, description }) =>
    [JSON.stringify(label), ...(description ? [description] : [])].join(": "),
  );
  return [
    dataBlock("The pages stand", "pages", "", window.map((number) => textOf(number, pages)).join("\n\n")),
    given.length > 0 ? `The classes:\n${given.map((each) => `- ${each}`).join("\n")}` : "No classes are given.",
    segmentsOf[mode],
  ].join("\n\n");
}

function textOf(number: number, pages: readonly AssessedPage[]): string {
  const { blank = true, identifyingText = "" } = pages[number - 1] ?? {};
  return `[page ${number}]\n${blank ? "(blank)" : identifyingText}`;
}
