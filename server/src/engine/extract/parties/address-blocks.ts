/**
 * Reads address blocks. A block consists of short aligned lines, with a name on top and a town on
 * the last line.
 */

import { endsAsLabel } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, whole } from "../../page/run-spans.ts";
import { centreX, type PageRuns, sizeOf, type TextRun } from "../../page/text-runs.ts";
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
import { addressDistances, minRightShare, sameTypeSize } from "./address-weights.ts";

export interface AddressBlock {
  /** Lines of the block, top to bottom. The last line contains the town. */
  lines: readonly TextRun[];
  name: RunSpan;
  /** First line of the name, if the name has two lines. */
  upper?: RunSpan;
  /**
   * True if a salutation, a department, "Attn" or "c/o" shows that the block is the addressee's.
   */
  addressed: boolean;
  /** True if a salutation or "Attn" shows that the block is the addressee's. */
  saluted: boolean;
  /**
   * True if the line directly above is a sender's address on one line, as in letters for window
   * envelopes.
   */
  underSender: boolean;
  /** Type size of the name, divided by the type size of the town. */
  prominence: number;
}

/** Maximum number of lines of a block above the line with the town. Chosen by hand, 2026-11. */
const maxLines = 8;
/**
 * Text counts as larger than another text if its type size is more than this multiple of the
 * other's. Chosen by hand, 2026-11.
 */
const larger = 1.18;
/**
 * The allowed gap between two lines grows with the height of the upper line, up to this multiple of
 * the lower line's height. Chosen by hand, 2026-11.
 */
const maxTypeRatio = 1.6;

/** Returns true if two lines have the same left edge, right edge or centre. */
export const isAligned = (a: TextRun, b: TextRun): boolean =>
  Math.abs(a.box[0] - b.box[0]) < addressDistances.aligned * b.height ||
  Math.abs(centreX(a.box) - centreX(b.box)) < b.height ||
  (Math.abs(a.box[2] - b.box[2]) < addressDistances.alignedRight * b.height &&
    a.box[0] > minRightShare * (b.box[0] + b.box[2]));

/** Returns the run of the row that is aligned with the run `low` below it. */
const inStack = (row: readonly TextRun[] | undefined, low: TextRun): TextRun | undefined =>
  row?.find((other) => isAligned(other, low));

/**
 * Returns the block that ends with the line `town`. Undefined if no line above it can be a name.
 */
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

/** Returns the aligned lines above the line with the town, from top to bottom. */
function linesAbove(page: PageRuns, town: TextRun): { lines: TextRun[]; underSender: boolean } {
  const lines: TextRun[] = [];
  let low = town;
  for (let up = town.row - 1; up >= 0 && lines.length < maxLines; up--) {
    const next = inStack(page.rows[up], low);
    const top = next ?? page.rows[up]?.[0] ?? low;
    // Below a letterhead in large type, the gap may be larger than between other lines of a block.
    const line = Math.max(low.height, Math.min(next?.height ?? 0, maxTypeRatio * low.height));
    const gap = (low === town ? addressDistances.townGap : addressDistances.blockGap) * line;
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

/** Drops the last salutation and the lines above it, which do not belong to the address. */
function withoutTop(lines: readonly TextRun[]): readonly TextRun[] {
  const salutation = lines.findLastIndex((line) => isSalutation(line.text));
  return lines.slice(salutation + 1);
}

/**
 * Returns the name of the block: the first line that can be a name. If a person or department is
 * above an organization, the organization is the name.
 */
function pickName(page: PageRuns, lines: readonly TextRun[]): { name: RunSpan; upper?: RunSpan } | undefined {
  // Below the street, a line can only be a part of the town's name, unless it has a legal form such
  // as "GmbH".
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

/**
 * Returns true for a part of a building ("Menara Dion #02-03, Level 2") and for a place followed by
 * a comma ("Sutera Utama Park,"). Neither is a name.
 */
const isPartOfPlace = (text: string): boolean => isPremisesLine(text) && !hasLegalForm(text);

/**
 * Returns true for a line that consists of a word and a tax number, such as "CIF B-97381204" or
 * "TACLA 55018C".
 */
const isTaxLine = (text: string): boolean => /^\p{Lu}[\p{L}.]{1,9} [\p{L}\d][\d.\- ]{4,}\p{L}?$/u.test(text);

/**
 * Returns true if a name continues on the next line. Its first line must look incomplete, and both
 * lines must have the same style.
 */
export function goesOn(page: PageRuns, upper: TextRun, lower: TextRun): boolean {
  const near = lower.box[1] - upper.box[3] < addressDistances.nameGap * upper.height && lower.row > upper.row;
  const alike = Math.abs(sizeOf(page, upper) - sizeOf(page, lower)) < sameTypeSize && upper.bold === lower.bold;
  return near && alike && endsOpen.test(upper.text) && isAligned(lower, upper);
}

const endsOpen =
  /(?:[&+,-]|(?<!\p{L})(?:de|du|des|la|le|et|and|und|der|die|für|of|the|for|di|del|della|y|e|van|von|zu))$/iu;

/**
 * Returns the name at the start of an address on one line, such as "Acme GmbH · Weg 1 · 12345 Ort".
 * Undefined if the line does not begin with a name.
 */
export function senderName(page: PageRuns, line: TextRun): RunSpan | undefined {
  if (!isAddressLine(line.text) || line.text.split(separators).length < 3) return undefined;
  const span = nameSpan(whole(page, line));
  return span && !/\d/.test(spanText(span)) && span.end < line.text.length ? span : undefined;
}

/** Returns the aligned line directly above, if it is in larger type. */
export function largerAbove(page: PageRuns, line: TextRun): TextRun | undefined {
  const above = inStack(page.rows[line.row - 1], line);
  return above &&
    line.box[1] - above.box[3] < addressDistances.largerGap * above.height &&
    sizeOf(page, above) > larger * sizeOf(page, line)
    ? above
    : undefined;
}
