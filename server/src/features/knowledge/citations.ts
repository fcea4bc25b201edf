/**
 * Locates the sources of an answer: part of a passage → words of the stored page → quote and boxes.
 */
import type { AnswerRangeJson, CitationJson } from "@sheaf/contract/knowledge.ts";
import type { AnswerPart, PassageSpan } from "../../engine/answering.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { distinctBoxes } from "../../lib/distinct-boxes.ts";
import type { Box, Line, Page } from "../../reading/document.ts";
import type { AgentHit, Hit } from "../../search/passage-index.ts";
import type { Tenant } from "../agents/agent-lookup.service.ts";
import { type DocumentKey, readStoredPages } from "../documents/documents.service.ts";

/**
 * Thrown if the index refers to words that the stored Document does not contain. This happens if
 * the index or the Document was deleted or is being rebuilt.
 */
export class StaleDocument extends Error {
  override readonly name = "StaleDocument";
  readonly document: string;
  constructor(document: string, options?: { cause?: unknown }) {
    super(`The index and the stored Document ${document} differ.`, options);
    this.document = document;
  }
}

/**
 * Returns a citation for each source of each part, in the order of the answer.
 * @param start where the parts begin in the text of the answer
 * @throws StaleDocument
 */
export async function citationsOf(
  files: StoredFiles,
  tenant: Tenant,
  parts: readonly AnswerPart[],
  hits: readonly AgentHit[],
  start: number,
): Promise<RangedCitation[]> {
  const citations: RangedCitation[] = [];
  let at = start;
  for (const { before, text, sources } of parts) {
    const range = { start: at + before.length, end: at + before.length + text.length };
    at = range.end;
    for (const source of sources) {
      const hit = hits[source.passage];
      if (!hit) continue;
      const { agent, document, name, path } = hit;
      const of = { organizationId: tenant.organizationId, agent, document };
      const place = "evidence" in source ? source.evidence : await placeOf(files, of, hit, source);
      const { page, quote } = place;
      const boxes = place.boxes.map((box): Box => [...box]);
      const reference = { document_reference: document, agent_reference: agent };
      citations.push({ ...reference, name, path, page, quote, boxes, ranges: [range] });
    }
  }
  return citations;
}

/** A citation of an answer that is not stored yet. */
export type RangedCitation = CitationJson & { agent_reference: string; ranges: AnswerRangeJson[] };

/**
 * Merges citations of the same words into one citation, which lists all ranges of the answer that
 * these words support.
 */
export function joined(citations: readonly RangedCitation[]): RangedCitation[] {
  const found = new Map<string, RangedCitation>();
  for (const citation of citations) {
    const { document_reference, page, quote, boxes, ranges } = citation;
    const key = JSON.stringify([document_reference, page, quote, boxes]);
    const same = found.get(key);
    if (same === undefined) found.set(key, { ...citation, ranges: [...ranges] });
    else same.ranges.push(...ranges.filter(({ start }) => same.ranges.every((range) => range.start !== start)));
  }
  return [...found.values()];
}

interface QuoteLocation {
  page: number;
  quote: string;
  boxes: Box[];
}

async function placeOf(files: StoredFiles, of: DocumentKey, hit: Hit, span: PassageSpan): Promise<QuoteLocation> {
  const pages = await readStoredPages(files, of, new Set([hit.page])).catch(staleIfGone(of.document));
  const page = pages.get(hit.page);
  const place = page && placeInPage(page, hit, span);
  if (!place) throw new StaleDocument(of.document);
  return place;
}

/**
 * Returns an error handler that throws StaleDocument if a file is missing, and otherwise rethrows
 * the error.
 */
export const staleIfGone =
  (document: string) =>
  (error: unknown): never => {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? new StaleDocument(document, { cause: error }) : error;
  };

/**
 * Locates a span of a passage on its page. Returns undefined if the text of the page does not
 * contain the passage.
 */
export function placeInPage(
  page: Page,
  passage: Pick<Hit, "start" | "end" | "text">,
  span: PassageSpan,
): QuoteLocation | undefined {
  const boxes: Box[] = [];
  let text = "";
  for (const line of page.lines.filter((each) => each.end > passage.start && each.start < passage.end)) {
    if (text !== "") text += "\n";
    const box = boxOfLine(page, line, passage, text.length, span);
    text += textOfLine(page, line, passage);
    if (box) boxes.push(box);
  }
  if (text !== passage.text || boxes.length === 0) return undefined;
  return { page: page.number, quote: onOneLine(text.slice(span.start, span.end)), boxes: distinctBoxes(boxes) };
}

type WordRange = Pick<Hit, "start" | "end">;

const textOfLine = ({ words }: Page, line: Line, passage: WordRange): string =>
  words
    .slice(Math.max(line.start, passage.start), Math.min(line.end, passage.end))
    .map((word) => word.text)
    .join(" ");

/**
 * Returns the box of those words of a line that overlap the span.
 * @param offset start of the line in the text of the passage
 */
function boxOfLine(page: Page, line: Line, passage: WordRange, offset: number, span: PassageSpan): Box | undefined {
  let at = offset;
  let box: Box | undefined;
  for (let index = Math.max(line.start, passage.start); index < Math.min(line.end, passage.end); index++) {
    const word = page.words[index];
    if (!word) return undefined;
    const [from, to] = [at, at + word.text.length];
    if (from < span.end && to > span.start) box = box ? around(box, word.box) : word.box;
    at = to + 1;
  }
  return box;
}

const around = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** Replaces line feeds, which separate the lines of a page, with spaces. */
export const onOneLine = (text: string): string => text.replaceAll("\n", " ");
