/**
 * Collects every span of a document that could be the value of some field, each with the texts that
 * may label it. The pool does not depend on the fields; `features.ts` compares the two.
 */
import type { LeafValue } from "../../engine.ts";
import type { ValueKind } from "../../lexicon/all-concepts.ts";
import { checkbox, emptyBox, tickedBox } from "../../page/checkboxes.ts";
import { endsAsLabel, runBelow } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, trimmed, whole } from "../../page/run-spans.ts";
import { overlapShare, type PageRuns, type TextRun, wordsBetween } from "../../page/text-runs.ts";
import { findDaysOfYear } from "../../values/dates.ts";
import { findNumberWords } from "../../values/number-words.ts";
import { boxOf } from "../candidates/find-candidates.ts";
import { companySpan, isProse, nameSpan } from "../candidates/names.ts";
import { type Context, contextsOf } from "../labels/label-contexts.ts";
import type { PartyView } from "../parties/party-view.ts";

/** How a value of the pool was recognized. */
export type PoolKind = ValueKind | "company" | "person" | "statement";

export interface PoolValue {
  kind: PoolKind;
  value: LeafValue;
  match: "exact" | "normalized" | "inferred";
  /** 0 to 1: how well the form matches the kind. */
  quality: number;
  page: PageRuns;
  run: TextRun;
  /** Span in the run's text, in UTF-16 units. */
  start: number;
  end: number;
  words: readonly number[];
  /** Lines that the value spans. */
  lines: number;
  contexts: readonly Context[];
  /** Sentence around the value without the value; empty if it stands in no sentence. */
  sentence: string;
  /** Nearest heading above: larger or bold text on a line of its own. */
  section: string;
}

const numberKinds = ["money", "number", "percent"] as const;
const formKinds = ["code", "iban", "bic", "vat", "email", "phone", "url"] as const;

/**
 * Pages whose values are collected: the first and the last ones. What stands on the others is found
 * by the rules. Chosen by hand, 2026-11.
 */
const firstPages = 6;
const lastPages = 2;
/** Maximum values per format. An ordinary page has up to 200. Chosen by hand, 2026-11. */
const maxValues = 2_500;

/** Values by the format of the fields that they can fill. */
export interface Pool {
  number: () => readonly PoolValue[];
  date: () => readonly PoolValue[];
  text: () => readonly PoolValue[];
  boolean: () => readonly PoolValue[];
}

export function poolOf(document: PartyView): Pool {
  const view = readPart(document);
  const surroundings = surroundingsOf();
  const once = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    return () => (made ??= make());
  };
  const date = once(() => withDaysOfYear(typed(view, ["date"], surroundings), view, surroundings));
  const number = once(() => [...typed(view, numberKinds, surroundings), ...numberWords(view, surroundings)]);
  return {
    number,
    date,
    text: once(() => texts(view, surroundings)),
    boolean: once(() => statements(view, surroundings)),
  };
}

/** Returns the view without the pages in the middle of a long document. */
function readPart(view: PartyView): PartyView {
  const { pages } = view.layout;
  if (pages.length <= firstPages + lastPages) return view;
  const isRead = (page: number): boolean => page < firstPages || page >= pages.length - lastPages;
  return {
    ...view,
    layout: { ...view.layout, pages: pages.filter((_, page) => isRead(page)) },
    places: (kind) => view.places(kind).filter(({ run }) => isRead(run.page)),
    pairs: () => view.pairs().filter(({ value }) => isRead(value.run.page)),
  };
}

type Surroundings = ReturnType<typeof surroundingsOf>;

/**
 * Returns values with a form. Of readings that overlap, all stay: "12 %" is a number and a
 * percentage.
 */
function typed(view: PartyView, kinds: readonly ValueKind[], surroundings: Surroundings): PoolValue[] {
  const seen = new Map<string, PoolValue>();
  for (const kind of kinds)
    for (const { found, page, run, words, contexts } of view.places(kind)) {
      const key = `${run.page} ${run.row} ${run.column} ${found.start} ${found.end} ${found.value}`;
      const before = seen.get(key);
      if (before && before.quality >= found.quality) continue;
      if (seen.size >= maxValues) break;
      const { start, end, value, match, quality } = found;
      const around = surroundings(page, run, start, end);
      seen.set(key, { kind, value, match, quality, page, run, start, end, words, lines: 1, contexts, ...around });
    }
  return [...seen.values()];
}

/** Quality of a day whose year stands elsewhere. */
const withoutYear = 0.6;

/**
 * Adds days without a year. They are of the year of the next date in their line, or of most dates.
 */
function withDaysOfYear(dates: readonly PoolValue[], view: PartyView, surroundings: Surroundings): PoolValue[] {
  const counts = new Map<string, number>();
  for (const { value } of dates) {
    const year = String(value).slice(0, 4);
    counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (most === undefined) return [...dates];
  const byRun = Map.groupBy(dates, ({ run }) => run);
  const days = view.layout.pages.flatMap((page) =>
    page.runs.flatMap((run) => {
      const own = byRun.get(run) ?? [];
      const year = String(own[0]?.value ?? most).slice(0, 4);
      return findDaysOfYear(run.text, Number(year)).flatMap(({ start, end, value }): PoolValue[] => {
        if (own.some((date) => date.start < end && start < date.end)) return [];
        const words = wordsBetween(run, start, end);
        const contexts = contextsOf(page, run, start, end, boxOf(page, words));
        const around = surroundings(page, run, start, end);
        return [
          {
            kind: "date",
            value,
            match: "inferred",
            quality: withoutYear,
            page,
            run,
            start,
            end,
            words,
            lines: 1,
            contexts,
            ...around,
          },
        ];
      });
    }),
  );
  return [...dates, ...days];
}

/** Quality of a number that is written as a word. */
const inWords = 0.7;

function numberWords(view: PartyView, surroundings: Surroundings): PoolValue[] {
  return view.layout.pages.flatMap((page) =>
    page.runs.flatMap((run) =>
      findNumberWords(run.text, view.locale.language).map(({ start, end, value }): PoolValue => {
        const words = wordsBetween(run, start, end);
        const contexts = contextsOf(page, run, start, end, boxOf(page, words));
        const around = surroundings(page, run, start, end);
        return {
          kind: "number",
          value,
          match: "inferred",
          quality: inWords,
          page,
          run,
          start,
          end,
          words,
          lines: 1,
          contexts,
          ...around,
        };
      }),
    ),
  );
}

/**
 * Minimum share of a text that a value with a form takes up, such as an amount with its currency.
 * Chosen by hand, 2026-11.
 */
const mostOfText = 0.6;
/** Maximum length of a run that is a value as a whole, in UTF-16 units. Chosen by hand, 2026-11. */
const maxWhole = 90;

function texts(view: PartyView, surroundings: Surroundings): PoolValue[] {
  const found = new Map<string, PoolValue>();
  // Values of one span have the same labels, whatever lines follow.
  const known = new Map<string, readonly Context[]>();
  const ownContexts = ({ page, run, start, end }: RunSpan): readonly Context[] => {
    const key = `${run.page} ${run.row} ${run.column} ${start} ${end}`;
    const before = known.get(key) ?? contextsOf(page, run, start, end, boxOf(page, wordsBetween(run, start, end)));
    known.set(key, before);
    return before;
  };
  const forms = new Map<TextRun, { kind: PoolKind; start: number; end: number }[]>();
  const formOf = ({ run, start, end }: RunSpan): PoolKind =>
    forms
      .get(run)
      ?.find((form) => form.start >= start && form.end <= end && form.end - form.start >= mostOfText * (end - start))
      ?.kind ?? "text";
  const add = (given: PoolKind, span: RunSpan, contexts: readonly Context[], more: readonly TextRun[] = []): void => {
    const { page, run, start, end } = span;
    const kind = given === "text" && more.length === 0 ? formOf(span) : given;
    // A part of a number is no value.
    if (/^[.,]\d/.test(run.text.slice(end)) || /\d[.,]$/.test(run.text.slice(0, start))) return;
    const text = [spanText(span), ...more.map((each) => each.text)].join(" ");
    const key = `${run.page} ${run.row} ${run.column} ${start} ${text}`;
    const before = found.get(key);
    if (before) {
      found.set(key, {
        ...before,
        kind: kind === "text" ? before.kind : kind,
        contexts: merged(before.contexts, contexts),
      });
      return;
    }
    const words = [...wordsBetween(run, start, end), ...more.flatMap((each) => each.words)];
    if (words.length === 0 || found.size >= maxValues) return;
    const around = surroundings(page, run, start, end);
    found.set(key, {
      kind,
      value: text,
      match: "exact",
      quality: 1,
      page,
      run,
      start,
      end,
      words,
      lines: 1 + more.length,
      contexts: merged(ownContexts(span), contexts),
      ...around,
    });
  };
  for (const kind of [...formKinds, "date", "money", "percent"] as const)
    for (const { found: value, page, run, contexts } of view.places(kind)) {
      known.set(`${run.page} ${run.row} ${run.column} ${value.start} ${value.end}`, contexts);
      if (kind === "date" || kind === "money" || kind === "percent")
        forms.set(run, [...(forms.get(run) ?? []), { kind, start: value.start, end: value.end }]);
      add(kind, { page, run, start: value.start, end: value.end }, []);
    }
  for (const { label, value, factor, marked } of view.pairs()) {
    if (!marked && (value.run.text.length > maxWhole || isProse(spanText(value)))) continue;
    const relation = value.start > 0 ? "inline" : "left";
    const contexts: Context[] = [{ text: label, relation, factor }];
    add("text", value, contexts);
    const more = nextLines(value);
    for (let lines = 1; lines <= more.length; lines++) add("text", value, contexts, more.slice(0, lines));
    const name = nameSpan(value);
    if (name && name.end - name.start < value.end - value.start) add("person", name, contexts);
  }
  for (const page of view.layout.pages)
    for (const run of page.runs) {
      const company = companySpan(page, run);
      if (company) add("company", company, []);
      if (run.text.length <= maxWhole && !endsAsLabel(run.text)) {
        const span = trimmed(page, run, 0, run.text.length);
        if (span) {
          add("text", span, []);
          const more = nextLines(span);
          for (let lines = 1; lines <= more.length; lines++) add("text", span, [], more.slice(0, lines));
        }
      }
      for (const span of phrasesIn(page, run)) add("text", span, []);
    }
  return [...found.values()];
}

const merged = (a: readonly Context[], b: readonly Context[]): Context[] => {
  const all = [...a];
  for (const context of b)
    if (!all.some(({ text, factor }) => text === context.text && factor >= context.factor)) all.push(context);
  return all;
};

/** Maximum lines that a value goes on. Chosen by hand, 2026-11. */
const maxMore = 4;
/** Maximum gap between lines of a value, in line heights. Chosen by hand, 2026-11. */
const maxGap = 0.9;

/** Returns the lines below a value that begin at its left edge and are as tightly set. */
function nextLines({ page, run, start }: RunSpan): TextRun[] {
  const lines: TextRun[] = [];
  if (start > 0 && run.column > 0) return lines;
  const left = start > 0 ? undefined : run.box[0];
  for (let low = run; lines.length < maxMore; ) {
    const next = runBelow(page, low);
    if (!next || next.box[1] - low.box[3] > maxGap * low.height || endsAsLabel(next.text)) break;
    if (left !== undefined && Math.abs(next.box[0] - left) > 0.6 * low.height) break;
    if (/^[^:]{2,30}:\s/.test(next.text) || next.bold !== run.bold) break;
    lines.push(next);
    low = next;
  }
  return lines;
}

const quoted = /[„“"«‚']\s?([^„“”"«»‘']{2,60}?)\s?[“”"»‘']/gu;
const capitals =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d.'’&-]*(?:(?: (?:de|du|des|von|van|der|den|del|della|di|da|und|and|et|&|of|zu|le|la|y|e) | )\p{Lu}[\p{L}\d.'’&-]*){0,6}/gu;
const measured =
  /(?<![\p{L}\d])(?:\d+|[\p{Ll}-]{2,14}) ?(?:\(\d+\) )?(?:days?|weeks?|months?|years?|hours?|minutes?|tagen?|wochen?|monaten?|jahren?|stunden|minuten|jours?|semaines?|mois|ans|années?|heures?|giorni|mesi|anni|días|meses|años|dagen|weken|maanden|jaar|dias|anos)(?!\p{L})/giu;

/** Returns the end of a name without the full stop or quotation mark behind it. */
function endOfName({ index, 0: name }: RegExpExecArray): number {
  let length = name.length;
  while (/[.']/.test(name[length - 1] ?? "")) length--;
  return index + length;
}

/** Yields names, quoted terms and durations inside longer text. */
function* phrasesIn(page: PageRuns, run: TextRun): Generator<RunSpan> {
  if (!/\s/.test(run.text)) return;
  const text = run.text.slice(0, 600);
  for (const pattern of [capitals, measured])
    for (const match of text.matchAll(pattern)) {
      const span = trimmed(page, run, match.index, endOfName(match));
      if (span && span.end - span.start < run.text.length) yield span;
    }
  for (const match of text.matchAll(quoted)) {
    const start = match.index + match[0].indexOf(match[1] ?? "");
    const span = trimmed(page, run, start, start + (match[1] ?? "").length);
    if (span) yield span;
  }
  const comma = text.indexOf(", ");
  if (comma > 2 && text.length <= maxWhole) {
    const head = trimmed(page, run, 0, comma);
    if (head) yield head;
    const tail = trimmed(page, run, comma + 1, text.length);
    if (tail) yield tail;
  }
}

const yes = /^(?:yes|y|ja|j|oui|o|sí|si|true|wahr|vrai|x|zutreffend|sim|waar|vero)[.,]?$/iu;
const no = /^(?:no|n|nein|non|false|falsch|faux|nee|não|falso|none|keine?|aucune?|nicht|ninguno)[.,]?$/iu;
export const negation =
  /(?<!\p{L})(?:not|no|never|without|cannot|excluded|nicht|kein\w{0,2}|nie|ohne|ausgeschlossen|pas|sans|aucune?|jamais|exclue?s?|sin|senza|non|geen|niet|zonder|não|sem|nunca|mai)(?!\p{L})/iu;

function statements(view: PartyView, surroundings: Surroundings): PoolValue[] {
  const found: PoolValue[] = [];
  const add = (span: RunSpan, value: boolean, quality: number, contexts: Context[]): void => {
    const { page, run, start, end } = span;
    const words = wordsBetween(run, start, end);
    if (words.length === 0 || found.length >= maxValues) return;
    const kind = quality === statementQuality ? "statement" : "boolean";
    const around = {
      ...surroundings(page, run, start, end),
      ...(kind === "statement" ? { sentence: spanText(span) } : {}),
    };
    found.push({
      kind,
      value,
      match: "inferred",
      quality,
      page,
      run,
      start,
      end,
      words,
      lines: 1,
      contexts,
      ...around,
    });
  };
  for (const { label, value, factor } of view.pairs()) {
    const text = spanText(value).trim();
    // "Yes No" are two printed answers.
    if (yes.test(label.trim()) || no.test(label.trim())) continue;
    const answer =
      text.length <= 6 && tickedBox.test(text)
        ? true
        : text.length <= 6 && emptyBox.test(text)
          ? false
          : yes.test(text)
            ? true
            : no.test(text)
              ? false
              : undefined;
    if (answer !== undefined) add(value, answer, 0.9, [{ text: label.replace(/\?/g, ""), relation: "left", factor }]);
    const [first = ""] = text.split(/[\s,;.–—-]+/u);
    if (answer === undefined && text.length > first.length && text.length < 90 && (yes.test(first) || no.test(first)))
      add(value, yes.test(first), 0.8, [{ text: label.replace(/\?/g, ""), relation: "left", factor }]);
  }
  for (const page of view.layout.pages)
    for (const run of page.runs) {
      boxesIn(page, run, add);
      if (run.text.length < 12) continue;
      for (const { start, end } of clausesIn(run.text)) {
        const text = run.text.slice(start, end);
        const span = trimmed(page, run, start, end);
        if (span) add(span, !negation.test(text), statementQuality, []);
      }
    }
  return found;
}

const statementQuality = 0.6;

/** Adds the boxes of a line, each with the text after it, or before it at the end of the line. */
function boxesIn(
  page: PageRuns,
  run: TextRun,
  add: (span: RunSpan, value: boolean, quality: number, contexts: Context[]) => void,
): void {
  const boxes = [...run.text.slice(0, 400).matchAll(checkbox)];
  const row = page.rows[run.row] ?? [];
  for (const [at, box] of boxes.entries()) {
    const ticked = tickedBox.test(box[0]);
    const from = box.index + box[0].length;
    const after = run.text.slice(from, boxes[at + 1]?.index ?? run.text.length).trim();
    const next = after || (row[run.column + 1]?.text ?? "");
    const before =
      run.text.slice(at === 0 ? 0 : (boxes[at - 1]?.index ?? 0) + 1, box.index).trim() ||
      (row[run.column - 1]?.text ?? "");
    const contexts: Context[] = [];
    const question = row[0] && row[0] !== run ? row[0].text : at > 0 ? run.text.slice(0, boxes[0]?.index ?? 0) : "";
    if (yes.test(next) || no.test(next)) {
      // "Smoker ☐ yes ☒ no": the ticked box says the answer.
      if (!ticked) continue;
      const label = question || before.replace(checkbox, " ");
      add(whole(page, run), yes.test(next), 1, [{ text: label, relation: "left", factor: 1 }]);
      continue;
    }
    if (next) contexts.push({ text: next, relation: "behind", factor: 1 });
    if (before) contexts.push({ text: before, relation: "left", factor: 0.8 });
    add(whole(page, run), ticked, 1, contexts);
  }
}

/** Yields the spans of the clauses of a text. */
function* clausesIn(text: string): Generator<{ start: number; end: number }> {
  const bounded = text.slice(0, 600);
  let start = 0;
  for (const match of bounded.matchAll(/[.;](?=\s|$)/g)) {
    if (match.index - start > 8) yield { start, end: match.index };
    start = match.index + 1;
  }
  if (bounded.length - start > 8) yield { start, end: bounded.length };
}

/** Characters of a sentence on either side of a value, in UTF-16 units. Chosen by hand, 2026-11. */
const maxBefore = 110;
const maxAfter = 60;
/** Rows searched upwards for a heading. Chosen by hand, 2026-11. */
const maxRowsUp = 25;

function surroundingsOf(): (
  page: PageRuns,
  run: TextRun,
  start: number,
  end: number,
) => { sentence: string; section: string } {
  const sections = new Map<TextRun, string>();
  return (page, run, start, end) => {
    const known = sections.get(run);
    const section = known ?? sectionOf(page, run);
    if (known === undefined) sections.set(run, section);
    return { sentence: sentenceOf(page, run, start, end), section };
  };
}

function sentenceOf(page: PageRuns, run: TextRun, start: number, end: number): string {
  const above = adjacent(page, run, -1);
  const below = adjacent(page, run, 1);
  const before = `${above} ${run.text.slice(0, start)}`;
  const after = `${run.text.slice(end)} ${below}`;
  const cut = Math.max(before.lastIndexOf(". "), before.lastIndexOf("; "), before.lastIndexOf(": "));
  const head = (cut >= 0 && cut < before.length - 3 ? before.slice(cut + 2) : before).slice(-maxBefore);
  const stop = after.search(/[.;](?:\s|$)/u);
  const tail = (stop >= 0 ? after.slice(0, stop) : after).slice(0, maxAfter);
  const text = `${head} ${tail}`.trim();
  return isProse(text) ? text : "";
}

/** Returns the line above or below that belongs to the same paragraph. */
function adjacent(page: PageRuns, run: TextRun, step: 1 | -1): string {
  const other = page.rows[run.row + step]?.find((each) => overlapShare(each.box, run.box) > 0.5);
  if (!other) return "";
  const gap = step > 0 ? other.box[1] - run.box[3] : run.box[1] - other.box[3];
  return gap < 0.8 * run.height && Math.abs(other.box[0] - run.box[0]) < 3 * run.height ? other.text : "";
}

function sectionOf(page: PageRuns, run: TextRun): string {
  for (let row = run.row - 1; row >= Math.max(0, run.row - maxRowsUp); row--) {
    const over = page.rows[row]?.find(
      (other) => overlapShare(other.box, run.box) > 0.2 || (other.column === 0 && page.rows[row]?.length === 1),
    );
    if (!over || over.text.length > 70 || !/\p{L}{3}/u.test(over.text)) continue;
    if (over.height > 1.12 * run.height || (over.bold && !run.bold && (page.rows[row]?.length ?? 0) <= 2))
      return over.text;
  }
  return "";
}
