/**
 * Reads page units. A file may state that the units of a page are larger than a point
 * (`/UserUnit`), as in maps and plans. PDFium ignores this and has no call for it, so the bytes of
 * the file are searched.
 */
import type { Box, Page } from "../../document.ts";
import type { PlacedImage } from "../../pixels/gray-image.ts";
import { objectStreams } from "./object-streams.ts";

/**
 * Size of the units of each page in points, by the object number of the page. Contains only pages
 * whose units the file states.
 */
export type UserUnits = ReadonlyMap<number, number>;

const key = "/UserUnit";
/** Maximum size of a unit, in points. Larger ones are ignored. Chosen by hand, 2026-11. */
const maxUnit = 75_000;
/** Maximum length of a dictionary, in bytes. */
const maxDictionary = 1 << 16;
/** Maximum number of pages that state a unit. No readable file has more. */
const maxPlaces = 10_000;

/**
 * Returns the unit of each page. If an edited file states the unit of a page several times, the
 * last value counts.
 */
export function readUserUnits(bytes: Uint8Array): UserUnits {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const units = new Map<number, number>();
  let at = file.indexOf(key);
  for (let count = 0; at >= 0 && count < maxPlaces; count++) {
    setUnit(units, objectAround(file, at), textOf(file, at, at + statementLength));
    at = file.indexOf(key, at + key.length);
  }
  readObjectStreams(file, units);
  return units;
}

const textOf = (file: Buffer, start: number, end: number): string => file.toString("latin1", Math.max(start, 0), end);

/** Maximum length of the key with its number, in bytes. */
const statementLength = 40;

function setUnit(units: Map<number, number>, object: number | undefined, text: string): void {
  const unit = Number(/^\/UserUnit\s*(\d*\.?\d+)/u.exec(text)?.[1]);
  if (object !== undefined && unit > 0 && unit <= maxUnit) units.set(object, unit);
}

/** Returns the number of the object whose dictionary contains `at`. */
function objectAround(file: Buffer, at: number): number | undefined {
  const start = Math.max(0, at - maxDictionary);
  const opened = file.subarray(start, at).lastIndexOf("obj");
  const number = /(?<!\d)(\d+)\s+\d+\s+obj$/u.exec(textOf(file, start + opened - 30, start + opened + 3))?.[1];
  return opened < 0 || number === undefined ? undefined : Number(number);
}

/** Reads objects that are packed in streams. */
function readObjectStreams(file: Buffer, units: Map<number, number>): void {
  for (const { source, first } of objectStreams(file)) {
    if (source.includes(key)) readPacked(source.toString("latin1"), first, units);
  }
}

/**
 * Reads the objects of an unpacked stream. The text before the first object lists the number and
 * the offset of each object.
 */
function readPacked(text: string, first: number, units: Map<number, number>): void {
  const pairs = text
    .slice(0, first)
    .matchAll(/(?<!\d)(\d+)\s+(\d+)/gu)
    .take(maxPlaces);
  const head = [...pairs].map(([, number, place]) => ({ number: Number(number), place: first + Number(place) }));
  let at = text.indexOf(key);
  for (let count = 0; at >= 0 && count < maxPlaces; count++) {
    setUnit(units, head.findLast(({ place }) => place <= at)?.number, text.slice(at, at + statementLength));
    at = text.indexOf(key, at + key.length);
  }
}

/** Converts a page to points. The page must be laid out in its own units. */
export function pageInPoints(page: Page, unit: number): Page {
  const sized = <T extends { box: Box }>(part: T): T => {
    const [x0, y0, x1, y1] = part.box;
    return { ...part, box: [times(x0, unit), times(y0, unit), times(x1, unit), times(y1, unit)] };
  };
  return {
    ...page,
    width: times(page.width, unit),
    height: times(page.height, unit),
    words: page.words.map((word) =>
      word.size === undefined ? sized(word) : { ...sized(word), size: times(word.size, unit) },
    ),
    lines: page.lines.map(sized),
    blocks: page.blocks.map(sized),
    tables: page.tables.map((table) => ({ ...sized(table), cells: table.cells.map(sized) })),
    ...(page.fields && { fields: page.fields.map(sized) }),
  };
}

export function scanInPoints({ image, toPage }: PlacedImage, unit: number): PlacedImage {
  const [a, b, c, d, e, f] = toPage;
  return { image, toPage: [a * unit, b * unit, c * unit, d * unit, e * unit, f * unit] };
}

const times = (value: number, unit: number): number => Math.round(value * unit * 100) / 100;
