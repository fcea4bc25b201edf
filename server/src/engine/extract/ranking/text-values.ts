/**
 * Collects texts for the pool of candidate values: values with a recognizable format such as codes,
 * labelled texts, whole lines, and phrases.
 */
import type { ValueKind } from "../../lexicon/all-concepts.ts";
import { endsAsLabel, runBelow } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, trimmed, whole } from "../../page/run-spans.ts";
import { type TextRun, wordsBetween } from "../../page/text-runs.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import { companySpan, isProse, nameSpan } from "../candidates/names.ts";
import type { Context } from "../labels/label-contexts.ts";
import { phrasesIn, wrappedPhrases } from "./phrases.ts";
import { contextsOfSpan, maxValues, type PoolKind, type PoolValue } from "./pool-value.ts";
import type { Surroundings } from "./surroundings.ts";

const codeKinds = ["code", "iban", "bic", "vat", "email", "phone", "url"] as const;
/** Kinds of values that text fields rarely ask for. */
const typedKinds = ["date", "money", "percent"] as const;

/**
 * Maximum length of a text run that can be a value as a whole, in UTF-16 units. Chosen by hand,
 * 2026-11.
 */
const maxWhole = 90;

export function textValues(view: DocumentView, surroundings: Surroundings): PoolValue[] {
  const found = new TextValues(surroundings);
  for (const kind of codeKinds) for (const value of spansOf(view, kind)) found.addTyped(kind, value);
  for (const kind of typedKinds)
    for (const value of spansOf(view, kind)) {
      found.note(kind, value.span);
      found.addTyped(kind, value);
    }
  for (const { label, value, factor, marked } of view.pairs()) {
    if (!marked && (value.run.text.length > maxWhole || isProse(spanText(value)))) continue;
    const contexts: Context[] = [{ text: label, relation: value.start > 0 ? "inline" : "left", factor }];
    found.addWithNextLines(value, contexts);
    const name = nameSpan(value);
    if (name && name.end - name.start < value.end - value.start) found.add("person", name, contexts);
  }
  for (const page of view.layout.pages)
    for (const run of page.runs) {
      const company = companySpan(page, run);
      if (company) found.add("company", company);
      const line = run.text.length <= maxWhole && !endsAsLabel(run.text) && trimmed(page, run, 0, run.text.length);
      if (line) found.addWithNextLines(line);
      for (const span of phrasesIn(page, run)) found.add("text", span);
      for (const [span, rest] of wrappedPhrases(page, run)) found.add("text", span, [], [rest]);
    }
  return found.all();
}

interface TypedSpan {
  span: RunSpan;
  contexts: readonly Context[];
}

const spansOf = (view: DocumentView, kind: ValueKind): TypedSpan[] =>
  view.places(kind).map(({ found: { start, end }, page, run, contexts }) => ({
    span: { page, run, start, end },
    contexts,
  }));

/**
 * Minimum share of a text that a value must make up for the whole text to count as a value of that
 * kind. For example, "EUR 12.50" counts as an amount. Chosen by hand, 2026-11.
 */
const mostOfText = 0.6;

/** Collects texts. Each text is added once, with all labels that were found for it. */
class TextValues {
  readonly #surroundings: Surroundings;
  readonly #found: PoolValue[] = [];
  /** For each text run, the indices in `#found` of the values that begin in it. */
  readonly #ofRun = new Map<TextRun, number[]>();
  /**
   * Labels by span. They are stored separately from the values, because extending a value by more
   * lines does not change its labels.
   */
  readonly #contexts = new Map<TextRun, SpanContexts[]>();
  readonly #forms = new Map<TextRun, { kind: PoolKind; start: number; end: number }[]>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  all(): PoolValue[] {
    return this.#found;
  }

  /**
   * Records that a span was recognized as a value of a kind, such as a date. A text that consists
   * mostly of this span gets the same kind.
   */
  note(kind: PoolKind, { run, start, end }: RunSpan): void {
    this.#forms.set(run, [...(this.#forms.get(run) ?? []), { kind, start, end }]);
  }

  addTyped(kind: PoolKind, { span, contexts }: TypedSpan): void {
    this.#noteContexts(span, contexts);
    this.add(kind, span);
  }

  /**
   * Adds a text alone, and also joined with the next line, with the next two lines, and so on, up
   * to `maxMore` lines.
   */
  addWithNextLines(span: RunSpan, contexts: readonly Context[] = []): void {
    this.add("text", span, contexts);
    const more = nextLines(span);
    for (let lines = 1; lines <= more.length; lines++)
      this.add(
        "text",
        span,
        contexts,
        more.slice(0, lines).map((run) => whole(span.page, run)),
      );
  }

  add(given: PoolKind, span: RunSpan, contexts: readonly Context[] = [], more: readonly RunSpan[] = []): void {
    const { page, run, start, end } = span;
    if (cutsNumber(run.text, start, end)) return;
    const kind = given === "text" && more.length === 0 ? this.#formOf(span) : given;
    const value = [spanText(span), ...more.map(spanText)].join(" ");
    const ofRun = this.#ofRun.get(run) ?? [];
    for (const at of ofRun) {
      const before = this.#found[at];
      if (before?.start !== start || before.value !== value) continue;
      const known = { kind: kind === "text" ? before.kind : kind, contexts: merged(before.contexts, contexts) };
      this.#found[at] = { ...before, ...known };
      return;
    }
    const words = [
      ...wordsBetween(run, start, end),
      ...more.flatMap((rest) => wordsBetween(rest.run, rest.start, rest.end)),
    ];
    if (words.length === 0 || this.#found.length >= maxValues) return;
    this.#ofRun.set(run, ofRun);
    ofRun.push(this.#found.length);
    const around = this.#surroundings.of(span);
    const own = { words, lines: 1 + more.length, contexts: merged(this.#contextsOf(span), contexts) };
    this.#found.push({ kind, value, match: "exact", quality: 1, page, run, start, end, ...own, ...around });
  }

  /**
   * Returns the kind of the recorded span that makes up most of this span. If there is none,
   * returns "text".
   */
  #formOf({ run, start, end }: RunSpan): PoolKind {
    const form = this.#forms
      .get(run)
      ?.find((each) => each.start >= start && each.end <= end && each.end - each.start >= mostOfText * (end - start));
    return form?.kind ?? "text";
  }

  #contextsOf(span: RunSpan): readonly Context[] {
    const known = this.#contexts.get(span.run)?.find((each) => each.start === span.start && each.end === span.end);
    if (known) return known.contexts;
    const contexts = contextsOfSpan(span);
    this.#noteContexts(span, contexts);
    return contexts;
  }

  /** Records the labels of a span. They replace the labels that were recorded before. */
  #noteContexts({ run, start, end }: RunSpan, contexts: readonly Context[]): void {
    const ofRun = this.#contexts.get(run) ?? [];
    this.#contexts.set(run, [{ start, end, contexts }, ...ofRun]);
  }
}

interface SpanContexts {
  start: number;
  end: number;
  contexts: readonly Context[];
}

/** Returns true if the span begins or ends inside a number. Such a span cannot be a value. */
const cutsNumber = (text: string, start: number, end: number): boolean =>
  /^[.,]\d/.test(text.slice(end, end + 2)) || /\d[.,]$/.test(text.slice(Math.max(0, start - 2), start));

const merged = (a: readonly Context[], b: readonly Context[]): Context[] => {
  const all = [...a];
  for (const context of b)
    if (!all.some(({ text, factor }) => text === context.text && factor >= context.factor)) all.push(context);
  return all;
};

/** Maximum number of lines below the first line that belong to a value. Chosen by hand, 2026-11. */
const maxMore = 4;
/** Maximum gap between lines of a value, in line heights. Chosen by hand, 2026-11. */
const maxGap = 0.9;
/**
 * Maximum distance between the left edges of a value's lines, in line heights. Chosen by hand,
 * 2026-11.
 */
const maxIndent = 0.6;

/** Returns the lines close below a value that begin at its left edge. */
function nextLines({ page, run, start }: RunSpan): TextRun[] {
  const lines: TextRun[] = [];
  if (start > 0 && run.column > 0) return lines;
  const left = start > 0 ? undefined : run.box[0];
  for (let low = run; lines.length < maxMore; ) {
    const next = runBelow(page, low);
    if (!next || next.box[1] - low.box[3] > maxGap * low.height || endsAsLabel(next.text)) break;
    if (left !== undefined && Math.abs(next.box[0] - left) > maxIndent * low.height) break;
    if (/^[^:]{2,30}:\s/.test(next.text) || next.bold !== run.bold) break;
    lines.push(next);
    low = next;
  }
  return lines;
}
