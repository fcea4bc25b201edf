/**
 * Splits a passage into units that can be quoted alone: sentences, list items, table rows, and
 * lines of forms.
 */

import { languages, wordsOf } from "./question-languages.ts";
import { stopWords } from "./question-stop-words.ts";

export interface Unit {
  /**
   * Start of the unit in the passage's text, in UTF-16 units. The unit does not include the white
   * space around it.
   */
  start: number;
  end: number;
  /**
   * "sentence": a sentence in running text. "line": a line that is complete in itself, as in a
   * form, list or table.
   */
  kind: "sentence" | "line";
  /** For a row of a table, the index of the unit that is its header row. */
  header?: number;
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** Maximum number of units of a text. The rest of the text is ignored. Chosen by hand, 2026-11. */
const maxUnits = 400;

/** Returns the units of a text in order. Between two units there is only white space. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let table: { header: number; line: number } | undefined;
  for (const [line, block] of blocksOf(text).entries()) {
    const whole = text.slice(block.start, block.end);
    const row = block.lines === 1 && looksLikeRow(whole) && !headsYears.test(whole);
    const above = units.at(-1);
    if (row && table?.line !== line - 1)
      table = above && isHeading(text, above) ? { header: units.length - 1, line } : undefined;
    if (row && table !== undefined) table.line = line;
    for (const unit of row || isNumberedLine(text, block) ? [wholeOf(text, block)] : sentencesOf(text, block)) {
      if (units.length >= maxUnits) return units;
      const label = units.at(-1);
      if (label !== undefined && isLabelOf(text, label, unit)) label.end = unit.end;
      else units.push(row && table !== undefined ? { ...unit, header: table.header } : unit);
    }
  }
  return units;
}

/** A line with more words than this is not a heading. Chosen by hand, 2026-11. */
const mostHeadingWords = 15;
/**
 * Maximum length of a single line that is complete in itself, such as a form entry, in characters.
 * Longer lines may be running text. Table rows may be longer. Chosen by hand, 2026-11.
 */
const longestLine = 60;

/** Returns true for a short line that is not a sentence, such as the header of a table. */
const isHeading = (text: string, { start, end, header }: Unit): boolean => {
  const line = text.slice(start, end);
  return (
    header === undefined &&
    !line.includes("\n") &&
    !endsSentence.test(line) &&
    line.split(/\s+/).length <= mostHeadingWords
  );
};

const numbered = /^(?:\p{Nd}{1,3}|\p{L})[.)]\s+\p{L}/u;

/**
 * Returns true if `label` is a line of a form that only names the short line below it, such as
 * "Supplier:" or "1. Name of applicant".
 */
function isLabelOf(text: string, label: Unit, unit: Unit): boolean {
  const [name, value] = [text.slice(label.start, label.end), text.slice(unit.start, unit.end)];
  if (label.kind !== "line" || unit.kind !== "line" || name.includes("\n")) return false;
  if (
    !/^[^\S\n]*\n[^\S\n]*$/u.test(text.slice(label.end, unit.start)) ||
    listMark.test(value) ||
    /[:：]\s*$/u.test(value)
  )
    return false;
  return /[:：]$/u.test(name) || (numbered.test(name) && !/[.!?。！？]$/u.test(value) && !/[!?。！？]$/u.test(name));
}

/**
 * Returns true for a numbered line. Without this check, the number alone would become a sentence.
 */
const isNumberedLine = (text: string, { start, end, lines }: Block): boolean =>
  lines === 1 && end - start <= longestLine && numbered.test(text.slice(start, end).trim());

function wholeOf(text: string, block: Block): Unit {
  const span = trimmedSpan(text, block.start, block.end) ?? block;
  return { start: span.start, end: span.end, kind: "line" };
}

interface Block {
  start: number;
  end: number;
  lines: number;
}

const listMark = /^\s*(?:[•‣▪●○◦·*–—-]\s|\(?(?:\p{Nd}{1,3}|\p{L})[.)]\s|□|☐|☒|☑|✓)/u;
const endsSentence = /[.!?。！？؟:…]["'”»）)\]]*\s*$/u;
/**
 * Minimum length of a line that may continue on the next line, in characters. Chosen by hand,
 * 2026-11.
 */
const minFullLine = 40;
/**
 * Minimum length of a line that may continue on the next line, as a share of the length of a full
 * line. Chosen by hand, 2026-11.
 */
const fullShare = 0.7;
/**
 * Factor for the minimum length of a line that may continue on the next line, in scripts without
 * spaces between words. Chosen by hand, 2026-11.
 */
const unspacedShare = 0.5;
/** Maximum number of words per number in a row of a table. Chosen by hand, 2026-11. */
const wordsPerFigure = 2.5;

/**
 * Groups consecutive lines of running text into blocks. A line that is too short to continue on the
 * next one ends its block.
 */
function blocksOf(text: string): Block[] {
  const lines = linesOf(text);
  if (lines.length < 2) return [{ start: 0, end: text.length, lines: 1 }];
  const full = Math.max(minFullLine, fullShare * typicalLength(lines));
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (open !== undefined && before !== undefined && runsOn(text, before, line, full)) {
      open.end = line.end;
      open.lines++;
    } else {
      open = { start: line.start, end: line.end, lines: 1 };
      blocks.push(open);
    }
  }
  return blocks;
}

function linesOf(text: string): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

/** Returns the length of a full line, which is the 90th percentile of the line lengths. */
function typicalLength(lines: readonly { start: number; end: number }[]): number {
  const lengths = lines.map((line) => line.end - line.start).sort((a, b) => b - a);
  return lengths[Math.floor(lengths.length / 10)] ?? 0;
}

function runsOn(
  text: string,
  before: { start: number; end: number },
  line: { start: number; end: number },
  full: number,
): boolean {
  const [first, second] = [text.slice(before.start, before.end), text.slice(line.start, line.end)];
  if (
    first.trim() === "" ||
    second.trim() === "" ||
    listMark.test(second) ||
    looksLikeRow(first) ||
    looksLikeRow(second)
  )
    return false;
  if (/^\s*\p{Ll}/u.test(second) && !endsSentence.test(first)) return true;
  if (numbered.test(first.trim()) && first.length <= longestLine) return false;
  return before.end - before.start >= full * (unspacedText.test(first) ? unspacedShare : 1);
}

const unspacedText = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Thai}/u;

/** Matches a line whose numbers are all years. Such a line is a column header, not a row. */
const headsYears = /^[^\p{Nd}]*(?:\b(?:19|20)\p{Nd}{2}\b[^\p{Nd}]*)+$/u;

/** Returns true if the line has many numbers and few words, as a row of a table does. */
function looksLikeRow(line: string): boolean {
  const words = line.trim().split(/\s+/);
  const figures = words.filter((word) => /\p{Nd}/u.test(word) && !/\p{L}/u.test(word)).length;
  return words.length >= 3 && figures >= 2 && figures * wordsPerFigure >= words.length;
}

/**
 * Words, in lower case, after which a dot does not end a sentence. Single letters and numbers are
 * handled in `isRepaired`.
 */
const abbreviations = new Set(
  (
    "mr mrs ms dr prof st sr jr vs nos nr arts ca approx inc ltd corp bros dept gen lt maj capt cmdr sgt rev hon gov sen rep pres figs vols eds pp cf al blvd " +
    "jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e eg ie viz a.m p.m u.s u.k d.c b.c a.d ph.d " +
    "bzw z.b d.h u.a usw abs inkl exkl zzgl str tel evtl ggf mind mio mrd ing dipl hr fr hrsg bd jh chr gegr geb gest sog vgl st.nr " +
    "mm mme mlle me av env chap hab ex tél réf n apr av.j " +
    "sra srta dra ud uds pág núm aprox ee.uu p.ej sig dott sig.ra avv ecc pag num dhr mevr bijv blz d.w.z e.d nl o.a " +
    "г гг в вв т.е т.д т.п т.к др им ул руб тыс млн млрд см стр св н.э род ок"
  ).split(" "),
);

/** Words that are abbreviations only before a number, such as "no" in "no. 5". */
const beforeNumber = new Set("no art fig vol ed p par max min ca est co may n nº § abs sec".split(" "));

const noEnd = /(?:^|[\s("'«„‚([-])((?:\p{L}\.)*\p{L}+|\p{Nd}{1,3})\.["'”»)\]]?\s*$/u;

const closing = /^[»”’)\]]+[.,;]?(?:\s+|$)/u;

function sentencesOf(text: string, block: Block): Unit[] {
  const kind = block.lines > 1 || block.end - block.start > longestLine ? "sentence" : "line";
  // Line breaks inside running text are replaced with spaces, because the segmenter would end a
  // sentence at each of them.
  const flat = text.slice(block.start, block.end).replaceAll("\n", " ");
  const units: Unit[] = [];
  let start = 0;
  for (const { segment, index } of segmenter.segment(flat)) {
    // The segmenter puts a closing quotation mark or bracket at the start of the next sentence,
    // although it belongs to this sentence.
    const end = index + segment.length + (closing.exec(flat.slice(index + segment.length))?.[0].length ?? 0);
    if (end < flat.length && isRepaired(flat.slice(Math.max(start, end - 60), end), flat.slice(end, end + 40)))
      continue;
    if (end <= start) continue;
    const unit = trimmedSpan(flat, start, end);
    if (unit !== undefined) units.push({ start: block.start + unit.start, end: block.start + unit.end, kind });
    start = end;
  }
  return units;
}

/** Returns true if the segmenter ended a sentence in the wrong place. */
function isRepaired(before: string, after: string): boolean {
  if (/^[\s]*$/.test(after)) return false;
  const word = noEnd.exec(before)?.[1];
  if (word === undefined) return /^\s*\p{Ll}/u.test(after) && !/[.。！？!?…]["'”»）)\]]*\s*$/u.test(before);
  if (/^\p{Nd}/u.test(word)) return /^\s*(?:\p{Ll}|\p{Nd})/u.test(after) || isOrdinalBeforeNoun(before, after);
  const lower = word.toLowerCase();
  // The dot does not end a sentence in "H. Clinton" and "z. B.", but does in "vitamin C. The".
  if (/^\p{L}$/u.test(word)) return !isFunctionWord(/^[\s"'“«(]*(\p{L}+)/u.exec(after)?.[1] ?? "");
  if (beforeNumber.has(lower)) return /^\s*\p{Nd}/u.test(after);
  return (
    abbreviations.has(lower) || (lower.length <= 4 && /^\s*\p{Nd}/u.test(after) && /^\p{Lu}|^\p{Ll}{1,2}$/u.test(word))
  );
}

const functionWords = new Set(
  languages.flatMap((language) => wordsOf(stopWords[language])).filter((word) => word.length > 1),
);
const isFunctionWord = (word: string): boolean =>
  functionWords.has(word.toLowerCase()) || /^(?:because|however|although)$/i.test(word);

const months = /^\s*(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahrhundert|Jh)/;
/**
 * Returns true if the dot is part of a German ordinal number, as in "3. Oktober" or "im 19.
 * Jahrhundert".
 */
const isOrdinalBeforeNoun = (before: string, after: string): boolean =>
  months.test(after) ||
  /(?:^|\s)(?:der|die|das|dem|den|des|im|am|vom|zum|ins|seit|bis|beim)\s+\p{Nd}{1,3}\.\s*$/iu.test(before);

/** Returns the span without white space at its ends, or undefined if nothing is left. */
export function trimmedSpan(text: string, start: number, end: number): { start: number; end: number } | undefined {
  let [from, to] = [start, end];
  while (from < to && /\s/u.test(text.charAt(from))) from++;
  while (to > from && /\s/u.test(text.charAt(to - 1))) to--;
  return from < to ? { start: from, end: to } : undefined;
}
