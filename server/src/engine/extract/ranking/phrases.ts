/** Finds parts of a line that may be a value: names, terms, and texts between separators. */
import { valueTypes, valueTypesOf } from "../../../language/value-types.ts";
import { type RunSpan, spanText, trimmed } from "../../page/run-spans.ts";
import { overlapShare, type PageRuns, type TextRun } from "../../page/text-runs.ts";

const quoted = /[„“"«‚']\s?([^„“”"«»‘']{2,60}?)\s?[“”"»‘']/gu;
const capitals =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d.'’&-]*(?:(?: (?:de|du|des|von|van|der|den|del|della|di|da|und|and|et|&|of|zu|le|la|y|e) | )\p{Lu}[\p{L}\d.'’&-]*){0,6}/gu;
const durations =
  /(?<![\p{L}\d])(?:\d+|[\p{Ll}-]{2,14}) ?(?:\(\d+\) )?(?:days?|weeks?|months?|years?|hours?|minutes?|tagen?|wochen?|monaten?|jahren?|stunden|minuten|jours?|semaines?|mois|ans|années?|heures?|giorni|mesi|anni|días|meses|años|dagen|weken|maanden|jaar|dias|anos)(?!\p{L})/giu;
/** Matches a separator between unrelated parts of a line. */
const separators = /[•·|;→()]|\s[–—/-]\s|:\s|(?<=\p{L}{4})\.\s|[.…_]{3,}/gu;

/**
 * Matches a line with a checkbox. Such lines are skipped here, because `boolean-values.ts` reads
 * them.
 */
const checkMark = /[☐☑☒✓✔✗✘]|\[[ xX]\]/u;

/** Only this many UTF-16 units of a line are searched. Chosen by hand, 2026-11. */
const maxLine = 600;
/** Maximum length of a part of a line, in UTF-16 units. Chosen by hand, 2026-11. */
const maxPart = 90;
/** Maximum number of comma-separated pieces joined into one phrase. Chosen by hand, 2026-11. */
const maxJoined = 4;

/** Yields each part of the line once. */
export function* phrasesIn(page: PageRuns, run: TextRun): Generator<RunSpan> {
  if (!/\s/.test(run.text) || checkMark.test(run.text)) return;
  const seen = new Set<number>();
  for (const span of allPhrases(page, run)) {
    const key = span.start * maxLine + span.end;
    if (seen.has(key) || span.end - span.start === run.text.length) continue;
    seen.add(key);
    yield span;
  }
}

function* allPhrases(page: PageRuns, run: TextRun): Generator<RunSpan> {
  const text = run.text.slice(0, maxLine);
  for (const pattern of [capitals, durations])
    for (const match of text.matchAll(pattern)) {
      const span = trimmed(page, run, match.index, endOfName(match));
      if (!span) continue;
      yield span;
      yield* withoutNextSentence(span);
      yield* personsIn(span);
    }
  for (const match of text.matchAll(quoted)) {
    const start = match.index + match[0].indexOf(match[1] ?? "");
    const span = trimmed(page, run, start, start + (match[1] ?? "").length);
    if (span) yield span;
  }
  for (const part of partsOf(page, run)) {
    const pieces = piecesOf(part);
    for (const [from, first] of pieces.entries())
      for (const last of pieces.slice(from, from + maxJoined))
        if (last.end - first.start <= maxPart) yield { page, run, start: first.start, end: last.end };
  }
}

/** Returns the offset at which a name ends, before any full stop or quotation mark. */
function endOfName({ index, 0: name }: RegExpExecArray): number {
  let length = name.length;
  while (/[.']/.test(name[length - 1] ?? "")) length--;
  return index + length;
}

/** Returns the parts of the line between separators. */
function partsOf(page: PageRuns, run: TextRun): RunSpan[] {
  const text = run.text.slice(0, maxLine);
  const parts: RunSpan[] = [];
  let from = 0;
  for (const { index, 0: separator } of text.matchAll(separators)) {
    const part = trimmed(page, run, from, index);
    if (part) parts.push(part);
    from = index + separator.length;
  }
  const last = trimmed(page, run, from, text.length);
  if (last) parts.push(last);
  return parts;
}

/** Returns the comma-separated pieces of a part. */
function piecesOf({ page, run, start, end }: RunSpan): RunSpan[] {
  const pieces: RunSpan[] = [];
  let from = start;
  for (const { index } of run.text.slice(start, end).matchAll(/,\s/g)) {
    const piece = trimmed(page, run, from, start + index);
    if (piece) pieces.push(piece);
    from = start + index + 1;
  }
  const last = trimmed(page, run, from, end);
  if (last) pieces.push(last);
  return pieces;
}

/** Yields the names before and after a full stop that ends a sentence, as in "Brown. The". */
function* withoutNextSentence({ page, run, start, end }: RunSpan): Generator<RunSpan> {
  const text = run.text.slice(start, end);
  const stop = text.search(/(?<=\p{L}{4})\. /u);
  if (stop < 0) return;
  yield { page, run, start, end: start + stop };
  yield { page, run, start: start + stop + 2, end };
}

const person = valueTypes.indexOf("person");
/**
 * Minimum probability at which a part of a longer name is a person's name. Chosen by hand, 2026-11.
 */
const likelyPerson = 0.5;
const maxNameWords = 4;

/**
 * Yields the part of a name that is most probably a person, such as "John Brown" in "Patient John
 * Brown".
 */
function* personsIn(span: RunSpan): Generator<RunSpan> {
  const { page, run, start } = span;
  const words = [...spanText(span).matchAll(/\S+/g)];
  if (words.length < 3 || words.length > 8) return;
  let best: { span: RunSpan; chance: number } | undefined;
  for (const [from, first] of words.entries())
    for (const last of words.slice(from + 1, from + maxNameWords)) {
      const part = trimmed(page, run, start + first.index, start + last.index + last[0].length);
      const chance = part ? (valueTypesOf(spanText(part))[person] ?? 0) : 0;
      if (part && chance >= likelyPerson && chance > (best?.chance ?? 0)) best = { span: part, chance };
    }
  if (best) yield best.span;
}

/** Maximum gap between the lines of a paragraph, in line heights. Chosen by hand, 2026-11. */
const maxGap = 0.9;
/**
 * Maximum distance between the left edges of the lines of a paragraph, in line heights. Chosen by
 * hand, 2026-11.
 */
const maxIndent = 3;
/**
 * Minimum horizontal overlap of two lines, as a share of the narrower line. Chosen by hand,
 * 2026-11.
 */
const minOverlap = 0.5;

/** Returns the next line of the same paragraph. */
export function nextLineOf(page: PageRuns, run: TextRun): TextRun | undefined {
  const next = page.rows[run.row + 1]?.find((other) => overlapShare(other.box, run.box) > minOverlap);
  if (!next || next.box[1] - run.box[3] > maxGap * run.height) return undefined;
  return Math.abs(next.box[0] - run.box[0]) > maxIndent * run.height ? undefined : next;
}

/**
 * Yields names and other parts that begin at the end of the line and continue at the start of the
 * next one. In each pair, the first span is in `run`, and the second in the next line.
 */
export function* wrappedPhrases(page: PageRuns, run: TextRun): Generator<[RunSpan, RunSpan]> {
  const next = nextLineOf(page, run);
  if (!next || !/\s/.test(run.text) || /[:;!?]$/.test(run.text)) return;
  const name = lastName(page, run);
  const rest = firstName(page, next);
  if (name && rest) yield [name, rest];
  const [part, partOfNext] = [partsOf(page, run).at(-1), partsOf(page, next)[0]];
  if (!part || !partOfNext || part.end < run.text.length - 1) return;
  const [before, after] = [piecesOf(part), piecesOf(partOfNext)];
  for (const first of before.slice(-2))
    for (const last of after.slice(0, 2)) {
      const [start, end] = [first.start, last.end];
      if (run.text.length - start + end > maxPart) continue;
      yield [
        { page, run, start, end: run.text.length },
        { page, run: next, start: 0, end },
      ];
    }
}

function lastName(page: PageRuns, run: TextRun): RunSpan | undefined {
  const last = [...run.text.slice(-maxPart).matchAll(capitals)].at(-1);
  const from = Math.max(0, run.text.length - maxPart);
  if (!last || from + last.index + last[0].length < run.text.length) return undefined;
  return trimmed(page, run, from + last.index, run.text.length);
}

function firstName(page: PageRuns, run: TextRun): RunSpan | undefined {
  const [first] = run.text.slice(0, maxPart).matchAll(capitals);
  return first && first.index === 0 ? trimmed(page, run, 0, endOfName(first)) : undefined;
}
