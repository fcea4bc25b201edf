/**
 * Deskews pages whose text is slanted, rotated or upside down, as in scans. Values are found on the
 * deskewed page, but the boxes of their evidence are those of the page as scanned.
 */
import type { Box, Document, Line, Page } from "../../reading/document.ts";

/** Minimum skew angle that is corrected, in radians (0.3 degrees). Chosen by hand, 2026-11. */
const minSkew = 0.005;
/**
 * Minimum length of a line whose direction is measured, in line heights. Chosen by hand, 2026-11.
 */
const minLength = 4;
const quarter = Math.PI / 2;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

const originals = new WeakMap<Page, Page>();

/** Returns the document with deskewed pages. Level pages are returned as the same objects. */
export function deskewed(document: Document): Document {
  const pages = document.pages.map(straightPage);
  return pages.every((page, index) => page === document.pages[index]) ? document : { ...document, pages };
}

/** Returns the original, as scanned, of a page that `deskewed` returned. */
export const pageAsScanned = (page: Page): Page => originals.get(page) ?? page;

function straightPage(page: Page): Page {
  if (page.geometry === "flow") return page;
  const angle = directionOf(page);
  if (Math.abs(angle) < minSkew) return page;
  const turn = turnBy(-angle, page);
  const turned = <T extends { box: Box }>(part: T): T => ({ ...part, box: turn.box(part.box) });
  const straight: Page = {
    ...{ ...page, width: turn.width, height: turn.height },
    ...{ words: page.words.map(turned), lines: page.lines.map(turned), blocks: page.blocks.map(turned) },
    tables: page.tables.map((table) => ({ ...turned(table), cells: table.cells.map(turned) })),
  };
  originals.set(straight, page);
  return straight;
}

/** Returns the prevailing direction of the text, in radians clockwise from the horizontal. */
function directionOf(page: Page): number {
  const vectors = page.lines.flatMap((line) => vectorOf(page, line));
  const lengths = [0, 0, 0, 0];
  for (const vector of vectors) lengths[quartersOf(vector)] = (lengths[quartersOf(vector)] ?? 0) + vector.length;
  const quarters = lengths.indexOf(Math.max(...lengths));
  const skews = vectors
    .filter((vector) => quartersOf(vector) === quarters)
    .map(({ angle }) => Math.atan2(Math.sin(angle - quarters * quarter), Math.cos(angle - quarters * quarter)))
    .sort((a, b) => a - b);
  return quarters * quarter + (skews[skews.length >> 1] ?? 0);
}

interface Vector {
  angle: number;
  length: number;
}

const quartersOf = ({ angle }: Vector): number => (Math.round(angle / quarter) + 4) % 4;

/**
 * Returns the vector from the first to the last word of a line. Returns an empty list for a short
 * line or a line in a right-to-left script.
 */
function vectorOf(page: Page, { start, end }: Line): Vector[] {
  const [first, last] = [page.words[start], page.words[end - 1]];
  if (!first || !last || rightToLeft.test(first.text + last.text)) return [];
  const [x, y] = [
    (last.box[0] + last.box[2] - first.box[0] - first.box[2]) / 2,
    (last.box[1] + last.box[3] - first.box[1] - first.box[3]) / 2,
  ];
  const height = Math.min(first.box[2] - first.box[0], first.box[3] - first.box[1]);
  const length = Math.hypot(x, y);
  return length >= minLength * height ? [{ angle: Math.atan2(y, x), length }] : [];
}

/**
 * Returns a function that rotates the centre of a box and keeps its size. A box around the rotated
 * corners would overlap adjacent lines.
 */
function turnBy(angle: number, { width, height }: Page) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const xs = [0, width * cos, -height * sin, width * cos - height * sin];
  const ys = [0, width * sin, height * cos, width * sin + height * cos];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const onEnd = Math.abs(sin) > Math.abs(cos);
  const box = ([x0, y0, x1, y1]: Box): Box => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    const [middleX, middleY] = [x * cos - y * sin - left, x * sin + y * cos - top];
    const [halfX, halfY] = onEnd ? [(y1 - y0) / 2, (x1 - x0) / 2] : [(x1 - x0) / 2, (y1 - y0) / 2];
    return [middleX - halfX, middleY - halfY, middleX + halfX, middleY + halfY];
  };
  return { width: Math.max(...xs) - left, height: Math.max(...ys) - top, box };
}
