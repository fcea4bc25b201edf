/**
 * Collects the facts about a page that page boundaries and class labels depend on. They are small
 * enough to keep for thousands of pages.
 */

import { foldLabel } from "../../language/folding.ts";
import { isStopWord, languageByFunctionWords } from "../../language/function-words.ts";
import { labelTokensOf } from "../../language/label-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { Page } from "../../reading/document.ts";
import { deskewed } from "../page/deskew.ts";
import { injectedWords } from "../page/prompt-injection.ts";
import { type PageRuns, sizeOf, type TextRun, textRunsOf } from "../page/text-runs.ts";
import { type KindIndex, type PageEvidence, type PageStyle, pageEvidence, styleOf } from "./kind-scores.ts";
import { findPageNumber, type PageNumber } from "./page-number.ts";
import { findTitle } from "./page-title.ts";

/** Row near the top or bottom edge of the page, with digits masked. */
interface EdgeRow {
  text: string;
  /** Vertical centre, as a share of the page height. */
  y: number;
}

export interface PageFacts {
  /** True if the page has almost no text or states that it was left blank. */
  blank: boolean;
  words: number;
  width: number;
  height: number;
  ocr: boolean;
  /** True if the format has no fixed pages, as in text files and workbooks. */
  flow: boolean;
  number: PageNumber | undefined;
  top: EdgeRow[];
  bottom: EdgeRow[];
  /** Codes with at least four digits. */
  codes: ReadonlySet<string>;
  /** Codes in the upper part of the page, by the words before them: `invoice no` → `4711`. */
  labelled: ReadonlyMap<string, string>;
  vocabulary: ReadonlySet<string>;
  /** Rows of at least two words, with digits masked. */
  rows: ReadonlySet<string>;
  language: string | undefined;
  /**
   * Typical left and right edges of the rows, and the bottom edge of the second-to-last row, as
   * shares of the page size.
   */
  left: number;
  right: number;
  bottomEnd: number;
  /** Share of the words in long rows of prose. */
  prose: number;
  /** Share of the words that contain digits. */
  digits: number;
  /**
   * Number of text runs that end in a colon or consist of fill-in marks, divided by the number of
   * rows.
   */
  fields: number;
  /** Signs that the page is the first of a document. */
  opening: { title: number; salutation: boolean; date: boolean; contact: number };
  /**
   * Type size of the top rows compared with other text, from 0 (no larger) to 1. 0 if the page has
   * no text layer.
   */
  headline: number;
  closing: boolean;
  /** True if the last long row ends mid-sentence. */
  endsOpen: boolean;
  /** True if the first long row starts mid-sentence. */
  startsOpen: boolean;
  /** True if the page says that it continues another page, or that another page continues it. */
  continued: boolean;
  /** Document kind named by the most prominent title. */
  titleKind: KindIndex | undefined;
  title: { text: string; strength: number };
}

/**
 * Minimum number of letters and digits of a page that is not blank. A page with fewer has only a
 * page number or a speck. Chosen by hand, 2026-11.
 */
const minLetters = 5;
/**
 * Minimum number of words that a page needs for its language to be detected. Chosen by hand,
 * 2026-11.
 */
const minWordsOfLanguage = 40;
/**
 * Signs of a first page are searched for in the top part of the page, down to this share of the
 * page height. Chosen by hand, 2026-11.
 */
const openingShare = 0.4;
/**
 * Titles and codes are searched for in the top part of the page, down to this share of the page
 * height. Chosen by hand, 2026-11.
 */
const upperShare = 0.45;
/**
 * Type size of a headline, relative to the median size. The feature `headline` is 0 up to
 * `headlineFrom`, and 1 from `headlineFrom + headlineRange`. Chosen by hand, 2026-11.
 */
const headlineFrom = 1.1;
const headlineRange = 0.5;
/** Minimum share of lower-case letters in a row of prose. Chosen by hand, 2026-11. */
const minProseLetters = 0.6;
/** Share of the rows that end left of the typical right edge. Chosen by hand, 2026-11. */
const rightQuantile = 0.9;
/**
 * Maximum numbers of items that are kept for each page: rows at the top and at the bottom edge,
 * rows, distinct words, and codes. Chosen by hand, 2026-11.
 */
const edgeRowCount = 6;
const maxRows = 160;
const maxVocabulary = 400;
const maxCodes = 80;
/** Minimum number of words of a row of prose. Chosen by hand, 2026-11. */
const minProseRow = 9;

const mask = (text: string): string =>
  labelTokensOf(text)
    .slice(0, 24)
    .map((token) => (/\d/.test(token.text) ? "0" : token.text))
    .join(" ");
const joined = (row: readonly TextRun[]): string => row.map(({ text }) => text).join(" ");

/** All results of reading one page. */
export interface ReadPage {
  facts: PageFacts;
  layout: PageRuns;
  style: PageStyle;
  evidence: PageEvidence;
  /**
   * True if some words are a prompt injection. Those words are excluded from all other properties.
   */
  hasPromptInjection: boolean;
}

export function factsOf(whole: Page): ReadPage {
  const addressed = injectedWords(whole);
  const page = addressed.size === 0 ? whole : withoutWords(whole, addressed);
  const level = deskewed({ mime: "", metadata: {}, pages: [page] });
  const layout = itemAt(textRunsOf(level).pages, 0);
  const rows = layout.rows.map((row) => joined(row));
  const text = rows.slice(0, maxRows).join("\n").slice(0, 20_000);
  const language = page.words.length >= minWordsOfLanguage ? languageByFunctionWords(text.slice(0, 3_000)) : undefined;
  const style = styleOf(layout);
  const evidence = pageEvidence(layout, style);
  const { width, height } = page;
  const edges = (from: number, to: number): EdgeRow[] =>
    layout.rows.slice(from, to).map((row) => ({
      text: mask(joined(row)),
      y: ((row[0]?.box[1] ?? 0) + (row[0]?.box[3] ?? 0)) / 2 / Math.max(1, height),
    }));
  const words = layout.runs.reduce((sum, run) => sum + run.words.length, 0);
  const facts: PageFacts = {
    blank: isBlank(text),
    words,
    width,
    height,
    ocr: page.source === "ocr",
    flow: page.geometry === "flow",
    number: findPageNumber(layout),
    top: edges(0, edgeRowCount),
    bottom: edges(-edgeRowCount, layout.rows.length),
    codes: codesOf(text),
    labelled: labelledCodes(layout),
    vocabulary: vocabularyOf(text, language),
    rows: new Set(
      rows
        .slice(0, maxRows)
        .map(mask)
        .filter((row) => /^[^\p{L}]*\p{L}[^ ]* [^\p{L}]*\p{L}/u.test(row)),
    ),
    language,
    ...extentOf(layout),
    ...lookOf(layout, rows, words),
    opening: openingOf(layout, evidence),
    headline: page.source === "text" ? headlineOf(layout, style.size) : 0,
    closing: closingPattern.test(foldLabel(rows.slice(-Math.max(12, rows.length >> 1)).join("\n"))),
    endsOpen: endsOpen(rows),
    startsOpen: /^\p{Ll}/u.test(rows.find((row) => row.length > 30) ?? ""),
    continued: continuedPattern.test(foldLabel([...rows.slice(0, 8), ...rows.slice(-6)].join("\n"))),
    titleKind: evidence.title?.kind,
    title: findTitle(layout, style, evidence),
  };
  return { facts, layout, style, evidence, hasPromptInjection: addressed.size > 0 };

  function openingOf(of: PageRuns, found: PageEvidence): PageFacts["opening"] {
    const upper = of.runs.filter((run) => run.box[1] < openingShare * height);
    const upperText = upper.map(({ text: each }) => each).join("\n");
    return {
      title: found.title && found.title.run.box[1] < upperShare * height ? found.title.strength : 0,
      salutation:
        salutationPattern.test(foldLabel(upperText)) || salutationPattern.test(foldLabel(text.slice(0, 1_500))),
      date: datePattern.test(upperText),
      contact: contactPatterns.filter((pattern) => pattern.test(upperText)).length / contactPatterns.length,
    };
  }
}

/** Replaces the given words with empty ones. The indices of the other words stay valid. */
const withoutWords = (page: Page, left: ReadonlySet<number>): Page => ({
  ...page,
  words: page.words.map((word, index) => (left.has(index) ? { ...word, text: "" } : word)),
});

const saidBlank =
  /intentionally (?:left )?blank|(?:absichtlich|bewusst) (?:frei|leer)|laissee? (?:intentionnellement |volontairement )?(?:blanche|vide|vierge)|dejada en blanco|lasciata (?:intenzionalmente )?(?:in )?bianc|opzettelijk (?:blanco|leeg)/u;

const isBlank = (text: string): boolean =>
  (text.length < 200 && saidBlank.test(foldLabel(text))) || (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minLetters;

function headlineOf(page: PageRuns, usual: number): number {
  const sizes = page.rows.slice(0, 4).map((row) => (row[0] ? sizeOf(page, row[0]) : 0));
  return Math.min(1, Math.max(0, (Math.max(0, ...sizes) / usual - headlineFrom) / headlineRange));
}

const datePattern =
  /\b\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.? \p{L}{3,10}\.?,? \d{4}\b|\b\p{L}{3,10}\.? \d{1,2}, ?\d{4}\b/u;
const contactPatterns = [
  /[\w.-]@[\w-]+\.\w/,
  /\b(?:www\.|https?:)/i,
  /\b(?:tel|phone|fon|fax|telefon|telephone)\b|\+\d{2}[ (]/i,
  /\b(?:[A-Z]{1,2}-)?\d{4,5} \p{Lu}\p{L}+|\b[A-Z]{2} \d{5}\b/u,
];
const salutationPattern =
  /^(?:dear |sehr geehrte|madame|monsieur|cher |chere |estimad[oa]|muy sen|gentile|egregi|spett|geachte|to whom|(?:beste|hallo|hello) .{2,40},$)/mu;
const closingPattern =
  /(?:sincerely|yours truly|truly yours|kind regards|best regards|mit freundlichen|freundliche grusse|hochachtungsvoll|cordialement|salutations|atentamente|distinti saluti|cordiali saluti|hoogachtend|vriendelijke groet|grand total|total due|amount due|balance due|gesamtbetrag|rechnungsbetrag|zahlbetrag|total ttc|net a payer|total a pagar|totale|totaal|thank you|vielen dank|merci|gracias|grazie|bedankt)/u;
const continuedPattern =
  /\bcontinued\b|\bcont'd\b|\bcontd\b|fortsetzung|ubertrag|a reporter|report page|page suivante|suite de|carried forward|brought forward|continua|viene de|sigue|vervolg|transport/u;

function endsOpen(rows: readonly string[]): boolean {
  const last = rows.findLast((row) => row.length > 40);
  return last !== undefined && /[\p{Ll},-]$/u.test(last);
}

function codesOf(text: string): Set<string> {
  const codes = new Set<string>();
  for (const [code] of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}/.-]{3,30}[\p{L}\p{N}]/gu)) {
    if ((code.match(/\d/g)?.length ?? 0) < 4 || /[.,]\d{1,2}$/.test(code) || datePattern.test(code)) continue;
    codes.add(code.toLowerCase());
    if (codes.size >= maxCodes) break;
  }
  return codes;
}

const codeAtEnd = /(?<![\p{L}\p{N}/.-])[\p{L}\p{N}/.-]+$/u;

/**
 * Maps the label before a code to the code: "Invoice no. 4711" gives `invoice no` → `4711`. The
 * label may also be in the text run to the left of the code.
 */
function labelledCodes(page: PageRuns): Map<string, string> {
  const found = new Map<string, string>();
  for (const run of page.runs) {
    if (run.box[1] > upperShare * page.page.height || found.size >= 30) continue;
    const text = run.text.slice(0, 80);
    const code = codeAtEnd.exec(text)?.[0];
    if (
      !code ||
      !/\d../u.test(code) ||
      (code.match(/\d/g)?.length ?? 0) < 3 ||
      datePattern.test(code) ||
      /[.,]\d{1,2}$/.test(code)
    )
      continue;
    const label =
      text.slice(0, -code.length).replace(/(?<![\s:#])[\s:#]+$/u, "") ||
      page.rows[run.row]?.[run.column - 1]?.text ||
      "";
    const words = labelTokensOf(label)
      .map((token) => token.text)
      .filter((word) => /\p{L}/u.test(word))
      .slice(-3);
    const key = words.join(" ");
    if (key.length >= 4 && !found.has(key)) found.set(key, code.toLowerCase());
  }
  return found;
}

function vocabularyOf(text: string, language: string | undefined): Set<string> {
  const found = new Set<string>();
  const known = (language ?? "en") as Parameters<typeof isStopWord>[1];
  for (const { text: word } of labelTokensOf(text)) {
    if (word.length < 4 || word.length > 40 || isStopWord(word, known)) continue;
    found.add(word);
    if (found.size >= maxVocabulary) break;
  }
  return found;
}

function extentOf({ page, rows }: PageRuns): Pick<PageFacts, "left" | "right" | "bottomEnd"> {
  const lefts = rows.map((row) => row[0]?.box[0] ?? 0).sort((a, b) => a - b);
  const rights = rows.map((row) => row.at(-1)?.box[2] ?? 0).sort((a, b) => a - b);
  const width = Math.max(1, page.width);
  return {
    left: (lefts[lefts.length >> 2] ?? 0) / width,
    right: (rights[Math.floor(rights.length * rightQuantile)] ?? 0) / width,
    bottomEnd: Math.max(0, ...rows.slice(0, -1).map((row) => row[0]?.box[3] ?? 0)) / Math.max(1, page.height),
  };
}

function lookOf(
  page: PageRuns,
  rows: readonly string[],
  words: number,
): Pick<PageFacts, "prose" | "digits" | "fields"> {
  let prose = 0;
  let digits = 0;
  let fields = 0;
  for (const run of page.runs) {
    const { text } = run;
    const letters = text.match(/\p{Ll}/gu)?.length ?? 0;
    if (run.words.length >= minProseRow && letters > minProseLetters * text.length) prose += run.words.length;
    digits += text.split(" ").filter((word) => /\d/.test(word)).length;
    if (/:$|_{4,}|\.{6,}|^[☐☑☒□■○]/u.test(text)) fields++;
  }
  const all = Math.max(1, words);
  return { prose: prose / all, digits: digits / all, fields: fields / Math.max(1, rows.length) };
}
