/**
 * `npm run quality -- ground`: measures grounding, which locates the values of a language model in
 * the document. Correct values with a quote of the surrounding text must be found. Values of other
 * documents must not be found. Each of these values is tried with the quote of the correct value,
 * with itself as the quote, and without a quote.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";
import { groundRecord } from "../../server/src/engine/ground/ground-record.ts";
import { type Ground, openGround } from "../../server/src/engine/ground/open-ground.ts";
import { valueInQuote } from "../../server/src/engine/ground/value-in-quote.ts";
import { type Document, lineText, type Page, pageText } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import { dataFolder } from "../data.ts";

export interface Case {
  id: string;
  document: Document;
  ground: Ground;
  fields: Record<string, LeafValue>;
}

export interface Quote {
  quote: string;
  page: number;
}

/**
 * Prints how many correct values are kept and how many invented ones are accepted. Prints up to
 * `errors` examples of each kind of error.
 */
export async function runGround(errors: number): Promise<void> {
  await score("facturx", await papers("facturx"), errors);
  await score("sroie", await transcripts(), errors);
}

async function score(name: string, cases: readonly Case[], errors: number): Promise<void> {
  const params = await paramsOf(name);
  const counts = { true: 0, absent: 0, lost: 0, kept: 0, invented: 0, standing: 0, passed: 0 };
  const misses: string[] = [];
  const startedAt = process.cpuUsage().user;
  for (const [at, one] of cases.entries()) {
    for (const param of params) {
      const value = one.fields[param.name] ?? null;
      if (value === null || value === "") continue;
      const quote = quoteFor(one, value, param);
      if (!quote) {
        counts.absent++;
        counts.lost += Number(param.format !== "date" && stands(one, value, param));
        if (misses.length < errors) misses.push(`absent ${one.id} ${param.name} ${JSON.stringify(value)}`);
      } else {
        counts.true++;
        const said = say(one, param, value, quote);
        const kept = said !== null && same(said, value, param, one);
        counts.kept += Number(kept);
        if (!kept && misses.length < errors)
          misses.push(`lost ${one.id} ${param.name} ${JSON.stringify([value, quote, said])}`);
      }
      for (const invented of inventedFor(cases, at, param, value)) {
        if (stands(one, invented, param)) {
          counts.standing++;
          continue;
        }
        counts.invented++;
        const quotes = [...(quote ? [quote] : []), { quote: String(invented), page: 1 }, { quote: "", page: 1 }];
        for (const each of quotes) {
          const said = say(one, param, invented, each);
          if (said === null) continue;
          counts.passed++;
          misses.push(`passed ${one.id} ${param.name} ${JSON.stringify([invented, each, said])}`);
        }
      }
    }
  }
  const seconds = (process.cpuUsage().user - startedAt) / 1e6;
  console.log(
    `${name}: ${cases.length} documents; true values kept ${counts.kept} of ${counts.true} (${((100 * counts.kept) / counts.true).toFixed(2)} %), ` +
      `${counts.absent} are in no run of six lines as in the truth (${counts.lost} by their letters); invented values accepted ${counts.passed} of ${counts.invented}, ${counts.standing} left out as they do stand there; ${seconds.toFixed(1)} s of CPU`,
  );
  for (const miss of misses.slice(0, errors * 3)) console.log(miss);
}

function say({ ground }: Case, param: ExtractionParam, value: LeafValue, quote: Quote): LeafValue {
  const { data } = groundRecord([param], { [param.name]: { value, ...quote } }, ground);
  return data[param.name] as LeafValue;
}

/**
 * Returns the fewest consecutive lines, up to six, that contain the value. This is what a careful
 * model would quote.
 */
export function quoteFor({ document, ground }: Case, value: LeafValue, param: ExtractionParam): Quote | undefined {
  for (let length = 1; length <= 6; length++) {
    for (const page of document.pages) {
      for (let from = 0; from + length <= page.lines.length; from++) {
        const quote = linesOf(page, from, length);
        if (valueInQuote(value, param.format as "text", quote, ground.conventions)) return { quote, page: page.number };
      }
    }
  }
  return undefined;
}

const linesOf = (page: Page, from: number, length: number): string =>
  page.lines
    .slice(from, from + length)
    .map((line) => lineText(page, line))
    .join("\n");

export function same(said: LeafValue, value: LeafValue, { format }: ExtractionParam, { ground }: Case): boolean {
  if (format === "number") return Number(said) === Number(value);
  if (format === "date") return valueInQuote(value, "date", String(said), ground.conventions) !== undefined;
  return lettersOf(said) === lettersOf(value);
}

/**
 * Yields invented values for a field: the values of the same field in the next five documents. For
 * a number, also yields the correct value plus 10.01.
 */
function* inventedFor(cases: readonly Case[], at: number, { name, format }: ExtractionParam, value: LeafValue) {
  for (let step = 1; step <= 5; step++) {
    const other = cases[(at + step) % cases.length]?.fields[name] ?? null;
    if (other !== null && other !== "" && other !== value) yield other;
  }
  if (format === "number") yield Math.round((Number(value) + 10.01) * 100) / 100;
}

/**
 * Returns true if a person would find the value in the document. Independent of the code that is
 * measured.
 */
function stands({ document, fields }: Case, value: LeafValue, { name, format }: ExtractionParam): boolean {
  const text = document.pages.map(pageText).join("\n");
  if (format === "date") return sameParts(String(value), String(fields[name]));
  if (format !== "number") return lettersOf(text).includes(lettersOf(value));
  const numbers = (text.match(/\d[\d.,'’]*/g) ?? []).map((number) => number.replace(/[.,'’]+$/, ""));
  return numbers
    .flatMap((number) => [number.replace(/[,'’]/g, ""), number.replace(/[.'’]/g, "").replace(",", ".")])
    .some((number) => Number(number) === Number(value));
}

/**
 * Returns true if both texts are the same date in different notations, such as 21-03-2018 and
 * 21/03/18.
 */
function sameParts(a: string, b: string): boolean {
  const [one, other] = [a, b].map((date) =>
    (date.match(/\d+/g) ?? []).map((part) => Number(part.slice(-2))).toSorted((x, y) => x - y),
  );
  return (other ?? []).every((part) => one?.includes(part));
}

const lettersOf = (text: LeafValue): string =>
  String(text)
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Reads the PDFs of a set. Keeps only those of their values that are visible on the pages. */
export async function papers(set: "facturx" | "deepform" | "invoice2data"): Promise<Case[]> {
  const truth = await readJson<Record<string, { file: string; fields: Case["fields"]; visible_fields?: string[] }>>(
    `${set}/truth.json`,
  );
  const reader = openReader(defaultReadingSettings);
  try {
    const cases: Case[] = [];
    for (const [id, { file, fields, visible_fields }] of Object.entries(truth)) {
      const document = await reader.read(join(dataFolder, set, file), "pdf");
      const seen = Object.entries(fields).filter(([name]) => visible_fields?.includes(name) ?? true);
      cases.push({ id, document, ground: openGround(document), fields: Object.fromEntries(seen) });
    }
    return cases;
  } finally {
    await reader.close();
  }
}

/**
 * Reads manual transcripts of receipts. The images are not used, because OCR errors are measured
 * elsewhere.
 */
export async function transcripts(): Promise<Case[]> {
  const truth = await readJson<Record<string, Record<string, string>>>("sroie/truth.json");
  return await Promise.all(
    Object.entries(truth).map(async ([id, fields]) => {
      const rows = (await readFile(join(dataFolder, "sroie/transcripts", `${id}.csv`), "utf8")).split(/\r?\n/);
      const document: Document = { mime: "image/jpeg", metadata: {}, pages: [transcribed(rows)] };
      const { total, ...texts } = fields;
      return {
        id,
        document,
        ground: openGround(document),
        fields: { ...texts, total: total ? Number(total.replace(/[^\d.]/g, "")) : null },
      };
    }),
  );
}

/**
 * Converts a transcript to a page. Each row has eight coordinates and a text, which may contain
 * commas.
 */
function transcribed(rows: readonly string[]): Page {
  const page: Page = {
    number: 1,
    width: 1000,
    height: 2000,
    rotation: 0,
    source: "text",
    words: [],
    lines: [],
    blocks: [],
    tables: [],
  };
  for (const row of rows) {
    const cells = row.split(",");
    const [x0 = 0, y0 = 0, , , x1 = 0, y1 = 0] = cells.slice(0, 8).map(Number);
    const text = cells.slice(8).join(",").trim();
    if (text === "") continue;
    const start = page.words.length;
    let at = 0;
    for (const word of text.split(/\s+/)) {
      const scale = (x1 - x0) / text.length;
      page.words.push({ text: word, box: [x0 + at * scale, y0, x0 + (at + word.length) * scale, y1] });
      at += word.length + 1;
    }
    page.lines.push({ box: [x0, y0, x1, y1], start, end: page.words.length });
  }
  return page;
}

export async function paramsOf(name: string): Promise<ExtractionParam[]> {
  const params = JSON.parse(
    await readFile(join(import.meta.dirname, `${name}.params.json`), "utf8"),
  ) as ExtractionParam[];
  return params.filter((param) => param.format !== "list");
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(dataFolder, path), "utf8")) as T;
}
