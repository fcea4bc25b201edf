/** Finds where a known value is printed in a document. */
import type { ParamFormat } from "@sheaf/contract/params.ts";
import type { LeafValue } from "../../engine.ts";
import type { TaughtPlace } from "../../memory.ts";
import { pageAsScanned } from "../../page/deskew.ts";
import { wordsIn } from "../../page/make-evidence.ts";
import { overlapShare, type TextRun, wordAt } from "../../page/text-runs.ts";
import type { MemoryPage, MemoryView } from "./memory-view.ts";
import { isSameValue, parsedIn, type Reading, readingsFor, textOf } from "./readings.ts";
import { keyOf } from "./text-keys.ts";

/**
 * Where a value was found: its page, its words (first line first), and the reading that turns the
 * words into the value.
 */
export interface Located {
  page: MemoryPage;
  words: readonly number[];
  reading: Reading;
}

/**
 * Maximum number of positions of one value. A total, for example, may be printed three times.
 * Chosen by hand, 2026-11.
 */
const maxPlaces = 4;

/**
 * Returns the positions of a value. If the user marked a position, returns only that position;
 * otherwise, returns the positions at which the value is printed.
 */
export function locate(
  value: LeafValue,
  format: ParamFormat,
  view: MemoryView,
  place: TaughtPlace | null | undefined,
): Located[] {
  if (value === null) return [];
  const given = place ? givenPlace(value, format, view, place) : undefined;
  if (given) return [given];
  if (format === "boolean") return [];
  const found: Located[] = [];
  for (const page of view.pages) {
    for (const reading of readingsFor(format, value)) {
      const before = found.length;
      found.push(...parsedPlaces(value, reading, page, view));
      if (found.length > before) break;
    }
    if (format === "text") found.push(...textPlaces(String(value), page));
    if (found.length >= maxPlaces) break;
  }
  return found.slice(0, maxPlaces);
}

function givenPlace(
  value: LeafValue,
  format: ParamFormat,
  view: MemoryView,
  { page: number, boxes }: TaughtPlace,
): Located | undefined {
  const page = view.pages.find((each) => each.runs.page.number === number);
  if (!page) return undefined;
  const words = wordsIn(pageAsScanned(page.runs.page), boxes).filter((word) => page.runOf.has(word));
  if (words.length === 0) return undefined;
  const text = textOf(page.runs, words);
  const reading = readingsFor(format, value).find((each) =>
    parsedIn(text, each, view.locale).some((found) => isSameValue(found.value, value)),
  );
  if (reading) return { page, words, reading };
  if (format === "text" && typeof value === "string" && keyOf(text) === keyOf(value))
    return { page, words, reading: readingOfText(value, text) };
  return { page, words, reading: "said" };
}

/**
 * Returns the reading of words whose text matches the known value. If the words are printed with
 * spaces but the known value has none, the reading must remove spaces.
 */
const readingOfText = (value: string, printed: string): Reading =>
  /\s/.test(printed) && !/\s/.test(value.trim()) ? "compact" : "text";

function parsedPlaces(value: LeafValue, reading: Reading, page: MemoryPage, view: MemoryView): Located[] {
  const places = new Map<string, Located>();
  for (const found of view.parsed(page, reading))
    if (isSameValue(found.value, value)) places.set(found.words.join(), { page, words: found.words, reading });
  // The same amount may be found both with and without its currency. Only the longer of the two
  // spans is kept.
  return [...places.values()].filter(
    (place) =>
      ![...places.values()].some(
        (other) => other.words.length > place.words.length && place.words.every((word) => other.words.includes(word)),
      ),
  );
}

/** Maximum number of words in a value that is searched for as text. */
const maxWords = 40;

function textPlaces(value: string, page: MemoryPage): Located[] {
  const key = keyOf(value);
  if (key === "") return [];
  const found: Located[] = [];
  for (const run of page.runs.runs) {
    for (const [at, first] of run.words.entries()) {
      const words = matchFrom(page, run, at, key, 0);
      if (words) found.push({ page, words, reading: readingOfText(value, textOf(page.runs, words)) });
      else if (key.length >= 3 && keyOf(wordAt(page.runs.page, first).text).includes(key))
        found.push({ page, words: [first], reading: "text" });
    }
    if (found.length >= maxPlaces) break;
  }
  return found;
}

/**
 * Returns the words that match the key, from word `at` of the run on. The match may continue on
 * lines below in the same column.
 */
function matchFrom(page: MemoryPage, run: TextRun, at: number, key: string, used: number): number[] | undefined {
  const words: number[] = [];
  let rest = key;
  for (const word of run.words.slice(at)) {
    const own = keyOf(wordAt(page.runs.page, word).text);
    if (own === "" && words.length + used === 0) return undefined;
    if (!rest.startsWith(own)) return undefined;
    words.push(word);
    rest = rest.slice(own.length);
    if (rest === "") return words;
    if (words.length + used > maxWords) return undefined;
  }
  for (const next of nextRuns(page, run)) {
    const more = matchFrom(page, next, 0, rest, used + words.length);
    if (more) return [...words, ...more];
  }
  return undefined;
}

/** Maximum gap between the lines of one value, in line heights. */
const maxGap = 1.6;
/**
 * Minimum horizontal overlap of two lines of one value, as a share (0 to 1) of the narrower line.
 */
const minOverlap = 0.2;

/**
 * Returns the runs in which a text may continue: below in the same column, to the right, or at the
 * start of the next line.
 */
export function nextRuns({ runs }: MemoryPage, run: TextRun): TextRun[] {
  const below = [1, 2]
    .flatMap((step) => runs.rows[run.row + step] ?? [])
    .filter(
      (other) =>
        overlapShare(other.box, run.box) > minOverlap &&
        other.box[1] - run.box[3] < maxGap * run.height &&
        Math.abs(other.box[0] - run.box[0]) < Math.max(2 * run.height, run.box[2] - run.box[0]),
    );
  const right = runs.rows[run.row]?.[run.column + 1];
  const [line] = runs.rows[run.row + 1] ?? [];
  const wrapped = line && !below.includes(line) && run.column === (runs.rows[run.row]?.length ?? 0) - 1 ? [line] : [];
  return [...below.slice(0, 2), ...(right ? [right] : []), ...wrapped];
}
