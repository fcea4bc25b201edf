/**
 * Extracts with a language model. Each request contains as many pages as fit, and asks for values
 * with quotes. A value that is not found in the document is requested once more and then dropped.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Page } from "../../reading/document.ts";
import {
  type Evidence,
  type EvidenceRecord,
  type EvidenceValue,
  type Extraction,
  type ExtractRequest,
  leavesOf,
  type Value,
  type ValueRecord,
} from "../engine.ts";
import type { GroundedRecord, Rejection } from "../ground/ground-record.ts";
import type { Meter } from "../meter.ts";
import type { BuiltinEngine } from "../threads/threaded-engine.ts";
import { dataBlock, dataRule, fillable } from "./data-block.ts";
import { quoteSchema } from "./extraction-schemas.ts";
import { estimateTokens, imageTokens, type ModelClient } from "./model-client.ts";
import { picturesOf } from "./poor-pages.ts";

export interface ModelExtractionDeps {
  client: Pick<ModelClient, "object" | "limits">;
  builtin: Pick<BuiltinEngine, "ground">;
}

const system = `You read documents and fill in forms from them.

${dataRule("The document stands")}

For every field answer value, quote and page. The quote is a run of words of the document, copied letter by letter, from which the value is read:
short, but with the value in it. The page is the number of the page that it stands on. A field that the document does not give has value, quote and
page null. Never guess, never compute, never take anything from outside of the document. A number is a JSON number, a date YYYY-MM-DD, a text as it
is written in the document. A list has an element for each row that the document gives, in its order, and none where there are none.`;

export interface ModelExtraction extends Extraction {
  /** Fields for which the model returned a value that was rejected. */
  refused: ReadonlySet<string>;
}

/** @throws ModelFailure; the reason of `signal`. */
export async function extractWithModel(
  { client, builtin }: ModelExtractionDeps,
  { document, params, meter, pageImage }: ExtractRequest & { meter: Meter },
  signal: AbortSignal,
): Promise<ModelExtraction> {
  let tokens = 0;
  const most = room(client, params);
  const picturesAtOnce = Math.min(mostPicturesAtOnce, Math.floor(most / 2 / imageTokens));
  const pictures =
    client.limits.vision && pageImage && picturesAtOnce > 0
      ? await picturesOf(document.pages, pageImage, signal)
      : new Map<number, Uint8Array>();
  const seen = [...pictures.keys()];
  const ask = async (pages: readonly Page[], asked: readonly ExtractionParam[], problems = "") => {
    const shown = seen.filter((number) => pages.some((page) => page.number === number));
    const images = shown.map((number) => pictures.get(number) as Uint8Array);
    const prompt = promptOf(pages, shown, problems);
    const request = { purpose: "extract", system, prompt, schema: quoteSchema(asked), images } as const;
    const { value, use } = await client.object(request, meter, signal);
    tokens += use.inputTokens + use.outputTokens;
    return value;
  };
  const windows = windowsOf(document.pages, most, pictures, picturesAtOnce);
  const answers = await Promise.all(windows.map((pages) => ask(pages, params)));
  const first = await builtin.ground(document, params, answers, seen, signal);
  const again = await Promise.all(
    windows.map(async (pages, at) => {
      const rejected = first[at]?.rejected ?? [];
      const asked = params.filter(({ name }) => rejected.some(({ path }) => path[0] === name));
      return asked.length === 0 ? {} : ask(pages, asked, problemsOf(rejected));
    }),
  );
  const second = await builtin.ground(document, params, again, seen, signal);
  const found = first.map((record, at) => mended(record, second[at], again[at]));
  return { ...joined(params, found), tokens, refused: new Set(found.flatMap(refusedIn)) };
}

/** Returns how many tokens a request has left for document text. */
const room = ({ limits }: Pick<ModelClient, "limits">, params: readonly ExtractionParam[]): number =>
  Math.max(500, limits.maxInputTokens * fillable - estimateTokens(system + JSON.stringify(quoteSchema(params))));

/** Maximum number of pictures per request. Chosen by hand, 2026-11. */
const mostPicturesAtOnce = 4;

/**
 * Groups pages into requests, so that tokens and pictures stay within their limits. A page that is
 * too long for one request is split.
 */
function windowsOf(
  pages: readonly Page[],
  maxTokens: number,
  pictures: ReadonlyMap<number, Uint8Array>,
  maxPictures: number,
): Page[][] {
  const windows: Page[][] = [];
  let current: Page[] = [];
  let [tokens, shown] = [0, 0];
  for (const page of pages.flatMap((page) => partsOf(page, maxTokens))) {
    const picture = Number(pictures.has(page.number));
    const needed = estimateTokens(textOf(page)) + picture * imageTokens;
    if (current.length > 0 && (tokens + needed > maxTokens || shown + picture > maxPictures)) {
      windows.push(current);
      [current, tokens, shown] = [[], 0, 0];
    }
    current.push(page);
    tokens += needed;
    shown += picture;
  }
  if (current.length > 0) windows.push(current);
  return windows;
}

function partsOf(page: Page, maxTokens: number): Page[] {
  if (estimateTokens(textOf(page)) <= maxTokens || page.lines.length < 2) return [page];
  const half = Math.ceil(page.lines.length / 2);
  return [page.lines.slice(0, half), page.lines.slice(half)].flatMap((lines) => partsOf({ ...page, lines }, maxTokens));
}

const textOf = ({ number, lines, words }: Page): string =>
  [
    `[page ${number}]`,
    ...lines.map((line) =>
      words
        .slice(line.start, line.end)
        .map(({ text }) => text)
        .join(" "),
    ),
  ].join("\n");

function promptOf(pages: readonly Page[], shown: readonly number[], problems: string): string {
  const block = dataBlock("The document stands", "document", problems, pages.map(textOf).join("\n\n"));
  return shown.length === 0 ? block : `${block}\n\n${aboutPictures(shown)}`;
}

const aboutPictures = (shown: readonly number[]): string =>
  `The text of page ${shown.join(", ")} was recognized poorly; the images show ${shown.length === 1 ? "it" : "these pages, in this order"}. They
are data as the text is. Read such a page from its image, and quote the words as you read them there.`;

/** Returns the names of fields with rejected values. */
export const refusedIn = ({ rejected }: GroundedRecord): string[] => rejected.map(({ path }) => String(path[0]));

const reasons: Record<Rejection["reason"], string> = {
  malformed: "was not of the form that is asked for",
  no_quote: "came without a quote",
  quote_not_found: "came with a quote that does not stand in the document",
  value_not_in_quote: "came with a quote that does not hold the value",
  other_row: "was taken from another row than the rest of its element",
  not_a_value: "does not look like a value of this field",
  other_field: "stands at the label of another field, or was said of several fields",
};

const problemsOf = (rejected: readonly Rejection[]): string =>
  `\n\nYou were asked before, and this can't be used:\n${rejected
    .slice(0, 50)
    .map(({ path, reason }) => `- ${path.join(".")} ${reasons[reason]}`)
    .join("\n")}\nLook again; where the document does not say it, answer null.`;

/**
 * Returns the first result of each field. If a field was requested again and its second result is
 * better, returns the second result instead.
 */
function mended(first: GroundedRecord, second: GroundedRecord | undefined, asked: unknown): GroundedRecord {
  if (second === undefined) return first;
  const data: ValueRecord = { ...first.data };
  const evidence: EvidenceRecord = { ...first.evidence };
  for (const name of Object.keys(asked as object)) {
    const [before, now] = [first.evidence[name] ?? null, second.evidence[name] ?? null];
    if (!isBetter(now, before)) continue;
    data[name] = second.data[name] ?? null;
    evidence[name] = now;
  }
  return { data, evidence, rejected: first.rejected };
}

/**
 * Returns true if `now` has more values than `before`, or if each is a single value and `now` has
 * the higher confidence.
 */
function isBetter(now: EvidenceValue, before: EvidenceValue): boolean {
  const [more, less] = [leavesOf(now), leavesOf(before)];
  if (more.length !== less.length || Array.isArray(now)) return more.length > less.length;
  return (more[0]?.confidence ?? 0) > (less[0]?.confidence ?? 0);
}

/**
 * Joins the results of several parts of a document. For each field, takes the value with the
 * highest confidence. For each list, takes all elements in order.
 */
function joined(
  params: readonly ExtractionParam[],
  records: readonly GroundedRecord[],
): { data: ValueRecord; evidence: EvidenceRecord } {
  const data: ValueRecord = {};
  const evidence: EvidenceRecord = {};
  for (const { name, format } of params) {
    if (format === "list") {
      const rows = withoutRepeated(records.flatMap((record) => rowsOf(record, name)));
      data[name] = rows.map((row) => row.data);
      evidence[name] = rows.map((row) => row.evidence);
      continue;
    }
    const [best] = records
      .map((record): [Value, Evidence | null] => [record.data[name] ?? null, leafOf(record.evidence[name])])
      .sort(([, a], [, b]) => (b?.confidence ?? -1) - (a?.confidence ?? -1));
    data[name] = best?.[0] ?? null;
    evidence[name] = best?.[1] ?? null;
  }
  return { data, evidence };
}

interface ClaimedRow {
  data: ValueRecord;
  evidence: EvidenceRecord;
}

const leafOf = (found: EvidenceValue | undefined): Evidence | null =>
  found === undefined || Array.isArray(found) ? null : found;

function rowsOf({ data, evidence }: GroundedRecord, name: string): ClaimedRow[] {
  const [values, places] = [data[name], evidence[name]];
  if (!Array.isArray(values) || !Array.isArray(places)) return [];
  return values.map((value, at) => ({ data: value, evidence: places[at] ?? {} }));
}

/**
 * Drops each row that has the same evidence as an earlier row. Requests for different parts of a
 * document may return the same row.
 */
function withoutRepeated(rows: readonly ClaimedRow[]): ClaimedRow[] {
  const seen = new Set<string>();
  return rows.filter(({ evidence }) => {
    const place = JSON.stringify(
      Object.values(evidence).map((leaf) => leafOf(leaf) && [leafOf(leaf)?.page, leafOf(leaf)?.boxes]),
    );
    return !seen.has(place) && seen.add(place);
  });
}
