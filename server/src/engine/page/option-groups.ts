/**
 * Groups the boxes of a page by the question that they answer, and finds the text of each question.
 */
import type { FormField } from "../../reading/document.ts";
import { captionsBelow } from "./captions.ts";
import { menuGroupsOf } from "./menu-groups.ts";
import type { Option, OptionGroup } from "./option-group.ts";
import {
  answerOf,
  type OptionBox,
  type OptionRow,
  type PageOptions,
  type Piece,
  readOptionRows,
} from "./option-rows.ts";
import { centreX, centreY, type PageRuns, unionOf } from "./text-runs.ts";

/**
 * Maximum distance between the first lines of two neighbouring options of a group, in text heights.
 * Chosen by hand, 2026-11.
 */
const maxRowGap = 2.1;
/**
 * Maximum ratio of the distance between two options to the distance between the previous two. If
 * the ratio is larger, a new group starts. Chosen by hand, 2026-11.
 */
const maxSpread = 1.35;
/**
 * Maximum distance between the question and the first box below it, in text heights. Chosen by
 * hand, 2026-11.
 */
const maxQuestionGap = 2.4;
/**
 * Maximum distance between consecutive lines of one text, in text heights. Chosen by hand, 2026-11.
 */
const maxLineGap = 1.5;
/** Maximum number of lines in an option or a question. Chosen by hand, 2026-11. */
const maxLines = 4;
/**
 * Maximum difference between the left edges of texts in one column, in text heights. Chosen by
 * hand, 2026-11.
 */
const aligned = 0.7;
/**
 * Maximum number of rows between a table row and the column headings of its boxes. Chosen by hand,
 * 2026-11.
 */
const maxHeadRows = 60;
/**
 * Maximum horizontal distance between the centre of a column heading and the centre of a box below
 * it, in text heights. Chosen by hand, 2026-11.
 */
const maxHeadShift = 2.5;

const groupCache = new WeakMap<PageRuns, readonly OptionGroup[]>();

/** Returns the groups of a page, from top to bottom. */
export function optionGroupsOf(page: PageRuns): readonly OptionGroup[] {
  const known = groupCache.get(page);
  if (known) return known;
  const options = readOptionRows(page);
  const groups = [...(options ? new Grouping(page, options).read() : []), ...menuGroupsOf(page)];
  groupCache.set(page, groups);
  return groups;
}

interface OpenGroup {
  lead: Piece[];
  options: Option[];
  bare: boolean;
  /** True if the first row of the group begins with a number or letter such as "(a)". */
  numbered: boolean;
  /** Distance between the last two rows of the group. Undefined if it has only one row. */
  step?: number;
  /** Indices of the first and last row of the group. */
  first: number;
  last: number;
}

class Grouping {
  readonly #page: PageRuns;
  readonly #rows: PageOptions["rows"];
  readonly #texts: PageOptions["texts"];
  /** Lines that are part of an option's text. */
  readonly #claimed = new Set<Piece>();
  readonly #fields: readonly FormField[];

  constructor(page: PageRuns, { rows, texts }: PageOptions) {
    this.#page = page;
    this.#rows = rows;
    this.#texts = texts;
    this.#fields = (page.page.fields ?? []).filter(({ checked }) => checked !== undefined);
  }

  read(): OptionGroup[] {
    const open: OpenGroup[] = [];
    for (const [at, parts] of this.#rows.entries())
      for (const part of parts) {
        const group = this.#groupOf(part, at);
        const above = open.findLast((other) => this.#continues(other, group));
        if (above) {
          above.step = stepOf(above, group);
          above.options.push(...group.options);
          above.lead.push(...group.lead);
          above.last = at;
        } else open.push(group);
      }
    return open.map(({ options, ...group }) => ({
      page: this.#page,
      question: this.#questionOf({ options, ...group }),
      options,
    }));
  }

  #groupOf({ lead, options, bare }: OptionRow, at: number): OpenGroup {
    const read = options.map(({ mark, text }): Option => {
      const lines = text ? [text, ...this.#linesBelow(text, at)] : bare ? this.#headOf(mark, options, at) : [];
      for (const line of lines) this.#claimed.add(line);
      const field = this.#fieldOf(mark);
      return { mark, lines, text: lines.map((line) => line.text).join(" "), ...(field && { field }) };
    });
    const named = lead.filter(({ text }) => /\p{L}{2}/u.test(text));
    return { lead: named, options: read, bare, numbered: lead.length > named.length, first: at, last: at };
  }

  #fieldOf({ box }: OptionBox): FormField | undefined {
    const [x, y] = [centreX(box), centreY(box)];
    return this.#fields.find(({ box: [x0, y0, x1, y1] }) => x0 <= x && x <= x1 && y0 <= y && y <= y1);
  }

  /** Returns the lines below that continue the text of an option. */
  #linesBelow(text: Piece, row: number): Piece[] {
    const lines: Piece[] = [];
    let last = text;
    for (let at = row + 1; at < this.#texts.length && lines.length < maxLines; at++) {
      const { height } = last.run;
      const [next] = (this.#texts[at] ?? []).filter(({ box }) => Math.abs(box[0] - text.box[0]) <= aligned * height);
      if (!next || next.box[1] - last.box[1] > maxLineGap * height) break;
      lines.push(next);
      last = next;
    }
    return lines;
  }

  /**
   * Returns the column heading of a box. The headings are in the nearest row above that has a text
   * for each box.
   */
  #headOf(mark: OptionBox, options: OptionRow["options"], row: number): Piece[] {
    const { height } = mark.run;
    const near = (piece: Piece, box: OptionBox): boolean =>
      Math.abs(centreX(piece.box) - centreX(box.box)) <= maxHeadShift * height;
    for (let at = row - 1; at >= 0 && at >= row - maxHeadRows; at--) {
      const texts = this.#texts[at] ?? [];
      if (texts.length < options.length || !options.every((other) => texts.some((piece) => near(piece, other.mark))))
        continue;
      const distance = (piece: Piece): number => Math.abs(centreX(piece.box) - centreX(mark.box));
      const [head] = texts.filter((piece) => near(piece, mark)).sort((a, b) => distance(a) - distance(b));
      return head ? [head] : [];
    }
    return [];
  }

  /** Returns true if a row of options belongs to the group above it. */
  #continues(above: OpenGroup, group: OpenGroup): boolean {
    const [last] = above.options.slice(-1);
    const [first] = group.options;
    if (!last || !first || above.bare || group.bare || group.first === above.last) return false;
    const { height } = first.mark.run;
    if (stepOf(above, group) > Math.min(maxRowGap * height, maxSpread * (above.step ?? Infinity))) return false;
    if (above.numbered !== group.numbered) return false;
    if (!above.options.some(({ mark }) => Math.abs(mark.box[0] - first.mark.box[0]) <= aligned * height)) return false;
    if (above.options.some(({ text }) => text !== "" && group.options.some((other) => other.text === text)))
      return false;
    const completes = answerOf(last.text) === true && answerOf(first.text) === false;
    if (group.lead.length > 0 && !completes) return false;
    if (answerOf(last.text) !== undefined && !completes) return false;
    if (!isSameField(last, first)) return false;
    return !this.#isParted(above, group);
  }

  /**
   * Returns true if there is a text between the groups that is not part of any option. A text that
   * is entirely to the left of the lower group's boxes does not count.
   */
  #isParted(above: OpenGroup, group: OpenGroup): boolean {
    const left = Math.min(...group.options.map(({ mark }) => mark.box[0]));
    for (let at = above.last + 1; at < group.first; at++)
      for (const piece of this.#texts[at] ?? [])
        if (!this.#claimed.has(piece) && piece.box[2] > left && piece.box[1] > (above.options.at(-1)?.mark.box[1] ?? 0))
          return true;
    return false;
  }

  #questionOf({ lead, options, bare, first }: OpenGroup): string {
    const beside = bare ? this.#linesAround(options, lead) : lead;
    const caption = beside.length > 0 ? undefined : this.#captionOf(options);
    if (caption !== undefined) return caption;
    const lines = beside.length > 0 ? beside : this.#linesAbove(options, first);
    const tooltip = options.find(({ field }) => field?.type === "radio")?.field?.tooltip;
    return lines.length > 0 ? lines.map(({ text }) => text).join(" ") : (tooltip ?? "");
  }

  /** Returns the caption below the boxes, if the form prints captions below its values. */
  #captionOf(options: readonly Option[]): string | undefined {
    const runs = new Set(options.map(({ mark }) => mark.run));
    const found = captionsBelow(this.#page)
      .ofCaption.entries()
      .find(([, value]) => runs.has(value));
    return found?.[0].text;
  }

  /** Returns the lines beside the boxes of a table row, to the left or right of them. */
  #linesAround(options: readonly Option[], lead: readonly Piece[]): Piece[] {
    const [mark] = options.map((option) => option.mark);
    if (!mark) return [];
    const box = options.map((option) => option.mark.box).reduce(unionOf);
    const { height } = mark.run;
    const lines = [...lead];
    for (let at = mark.run.row - maxLines; at <= mark.run.row + maxLines; at++)
      for (const piece of at === mark.run.row ? [] : (this.#texts[at] ?? [])) {
        const outside = piece.box[2] < box[0] || piece.box[0] > box[2];
        const reach = lead.length > 0 ? maxLineGap : maxLineGap / 2;
        if (outside && Math.abs(centreY(piece.box) - centreY(box)) <= reach * height) lines.push(piece);
      }
    return lines.sort((a, b) => a.box[1] - b.box[1]);
  }

  /** Returns the lines directly above the first box. */
  #linesAbove(options: readonly Option[], row: number): Piece[] {
    const [first] = options;
    if (!first) return [];
    const lines: Piece[] = [];
    let { box } = first.mark;
    for (let at = row - 1; at >= 0 && lines.length < maxLines; at--) {
      if ((this.#rows[at] ?? []).length > 0) break;
      const next = (this.#texts[at] ?? []).find(
        (piece) =>
          !this.#claimed.has(piece) &&
          piece.box[0] <= first.mark.box[2] + piece.run.height &&
          piece.box[2] > first.mark.box[0],
      );
      const { height } = first.mark.run;
      if (!next) {
        if ((this.#texts[at] ?? []).length > 0) break;
        continue;
      }
      const gap = next.box[1] - box[1];
      if (-gap > (lines.length === 0 ? maxQuestionGap : maxLineGap) * Math.max(height, next.run.height)) break;
      if (lines.length > 0 && (Math.abs(next.box[0] - box[0]) > aligned * height || /[.:?!]$/u.test(next.text))) break;
      lines.unshift(next);
      ({ box } = next);
    }
    return lines;
  }
}

/** Returns the distance between the last row of one group and the first row of the next. */
const stepOf = (above: OpenGroup, { options: [first] }: OpenGroup): number =>
  (first?.mark.box[1] ?? 0) - (above.options.at(-1)?.mark.box[1] ?? 0);

/**
 * Returns false if the boxes belong to two different radio fields, or if only one of them belongs
 * to a radio field.
 */
function isSameField({ field: a }: Option, { field: b }: Option): boolean {
  if (a?.type !== "radio" && b?.type !== "radio") return true;
  return a?.type === b?.type && a?.name === b?.name;
}
