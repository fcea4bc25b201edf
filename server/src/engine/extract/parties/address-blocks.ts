/** The blocks that addresses are set in: a stack of short aligned lines that ends in a town, with the name on top. */

import { endsAsLabel } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, whole } from "../../page/run-spans.ts";
import { centreX, type PageRuns, type TextRun, wordAt } from "../../page/text-runs.ts";
import { isAddressLine, isContactLine, isPremisesLine, isStreetLine } from "../../values/address-lines.ts";
import { hasLegalForm, nameSpan, separators } from "../candidates/names.ts";
import {
  isAttention,
  isCareOf,
  isDepartment,
  isSalutation,
  isTitledPerson,
  looksLikePerson,
  salutationLength,
} from "../candidates/party-lines.ts";
import { partyOfLabel } from "../labels/party-headings.ts";

export interface AddressBlock {
  /** From the name's line to the town's, top to bottom. */
  lines: readonly TextRun[];
  name: RunSpan;
  /** The upper line of a name of two lines. */
  upper?: RunSpan;
  /** True where a salutation, a department or "Attn" shows that somebody is addressed. */
  addressed: boolean;
  /** True where a salutation or "Attn" shows it. */
  saluted: boolean;
  /** True where a line of one sender's address stands right above. */
  underSender: boolean;
  /** Type size of the name against that of the town, 1 where they are set alike. */
  prominence: number;
}

const maxLines = 8;
const maxGap = 2.2;
/** Letters may leave a line free above the town. */
const maxTownGap = 2.6;
const larger = 1.18;
const maxTypeRatio = 1.6;

export const sizeOf = (page: PageRuns, run: TextRun): number => wordAt(page.page, run.words[0] ?? 0).size ?? run.height;

/** True if two lines share their left edge, their right edge, or their centre. */
export const isAligned = (a: TextRun, b: TextRun): boolean =>
  Math.abs(a.box[0] - b.box[0]) < 0.7 * b.height ||
  Math.abs(centreX(a.box) - centreX(b.box)) < b.height ||
  (Math.abs(a.box[2] - b.box[2]) < 0.6 * b.height && a.box[0] > 0.35 * (b.box[0] + b.box[2]));

/** The line of the row that stands in the stack of `low`. */
const inStack = (row: readonly TextRun[] | undefined, low: TextRun): TextRun | undefined =>
  row?.find((other) => isAligned(other, low));

/** The block whose town is `town`; undefined if nothing on top of it can be a name. */
export function readBlock(page: PageRuns, town: TextRun): AddressBlock | undefined {
  const stack = linesAbove(page, town);
  const lines = withoutTop(stack.lines);
  const agent = lines.findIndex((line) => isCareOf(line.text));
  const named = pickName(page, agent > 0 ? lines.slice(0, agent) : lines);
  if (!named) return undefined;
  return {
    ...named,
    lines: [...lines, town],
    addressed: stack.lines.some(
      (line) => isSalutation(line.text) || isAttention(line.text) || isDepartment(line.text) || isCareOf(line.text),
    ),
    saluted: stack.lines.some(
      (line) => isSalutation(line.text) || isAttention(line.text) || salutationLength(line.text) > 0,
    ),
    underSender: stack.underSender,
    prominence: sizeOf(page, named.name.run) / sizeOf(page, town),
  };
}

/** The lines of the stack above the town, top to bottom. */
function linesAbove(page: PageRuns, town: TextRun): { lines: TextRun[]; underSender: boolean } {
  const lines: TextRun[] = [];
  let low = town;
  for (let up = town.row - 1; up >= 0 && lines.length < maxLines; up--) {
    const next = inStack(page.rows[up], low);
    const top = next ?? page.rows[up]?.[0] ?? low;
    // A letterhead in large type may stand further above than lines of one block do.
    const line = Math.max(low.height, Math.min(next?.height ?? 0, maxTypeRatio * low.height));
    const gap = (low === town ? maxTownGap : maxGap) * line;
    if (low.box[1] - top.box[3] > gap) break;
    if (!next) continue;
    if (isAddressLine(next.text) && (low !== town || separators.test(next.text)))
      return { lines, underSender: separators.test(next.text) };
    if (
      endsAsLabel(next.text) ||
      (isPair(next.text) && !isAttention(next.text) && salutationLength(next.text) === 0) ||
      /[•·●∙|]/.test(next.text)
    )
      break;
    if (partyOfLabel(next.text) && !isStreetLine(low.text)) break;
    lines.unshift(next);
    low = next;
  }
  return { lines, underSender: false };
}

const isPair = (text: string): boolean => /:\s+\S/.test(text);

/** What stands above the last salutation is no part of the address. */
function withoutTop(lines: readonly TextRun[]): readonly TextRun[] {
  const salutation = lines.findLastIndex((line) => isSalutation(line.text));
  return lines.slice(salutation + 1);
}

/** The name: the first line that can be one. An organization comes before a person or the department in front of it. */
function pickName(page: PageRuns, lines: readonly TextRun[]): { name: RunSpan; upper?: RunSpan } | undefined {
  // Below the street come only parts of the town.
  const street = lines.findIndex((line) => isStreetLine(line.text));
  const named = lines.flatMap((line, at) => {
    const span = street < 0 || at < street || hasLegalForm(line.text) ? lineName(page, line) : undefined;
    return span ? [{ span, line }] : [];
  });
  const first = named[0];
  if (!first) return undefined;
  const isPerson = isTitledPerson(first.line.text) || looksLikePerson(first.line.text);
  const size = sizeOf(page, first.line);
  const organization = named.find(
    ({ line }) => hasLegalForm(line.text) && (isPerson || sizeOf(page, line) * larger > size),
  );
  const largest = named.find(({ line }) => sizeOf(page, line) > larger * size);
  const chosen = hasLegalForm(first.line.text) ? first : (organization ?? largest ?? first);
  const lower = named.find(({ line }) => line.row > chosen.line.row);
  return lower && goesOn(page, chosen.line, lower.line)
    ? { upper: chosen.span, name: lower.span }
    : { name: chosen.span };
}

function lineName(page: PageRuns, line: TextRun): RunSpan | undefined {
  const isNone = isContactLine(line.text) || isTaxLine(line.text) || isPartOfPlace(line.text);
  return isNone ? undefined : nameSpan(whole(page, line));
}

/** "Menara Dion #02-03, Level 2", "Sutera Utama Park,": the rooms of a building, and what a place goes on after, are nobody's name. */
const isPartOfPlace = (text: string): boolean => isPremisesLine(text) && !hasLegalForm(text);

/** "CIF B-97381204", "TACLA 55018C": a word and a number. */
const isTaxLine = (text: string): boolean => /^\p{Lu}[\p{L}.]{1,9} [\p{L}\d][\d.\- ]{4,}\p{L}?$/u.test(text);

/** True if a name is broken over two lines: it ends in the middle, or both lines are set in the same larger type. */
export function goesOn(page: PageRuns, upper: TextRun, lower: TextRun): boolean {
  const near = lower.box[1] - upper.box[3] < 0.6 * upper.height && lower.row > upper.row;
  const alike = Math.abs(sizeOf(page, upper) - sizeOf(page, lower)) < 0.3 && upper.bold === lower.bold;
  return near && alike && endsOpen.test(upper.text) && isAligned(lower, upper);
}

const endsOpen =
  /(?:[&+,-]|(?<!\p{L})(?:de|du|des|la|le|et|and|und|der|die|für|of|the|for|di|del|della|y|e|van|von|zu))$/iu;

/** The address on one line, "Acme GmbH · Weg 1 · 12345 Ort": its name, if it begins with one. */
export function senderName(page: PageRuns, line: TextRun): RunSpan | undefined {
  if (!isAddressLine(line.text) || line.text.split(separators).length < 3) return undefined;
  const span = nameSpan(whole(page, line));
  return span && !/\d/.test(spanText(span)) && span.end < line.text.length ? span : undefined;
}

/** The line right above in the same stack, if it is set in larger type. */
export function largerAbove(page: PageRuns, line: TextRun): TextRun | undefined {
  const above = inStack(page.rows[line.row - 1], line);
  return above && line.box[1] - above.box[3] < 1.2 * above.height && sizeOf(page, above) > larger * sizeOf(page, line)
    ? above
    : undefined;
}
