/**
 * Indexes a Document as sequences of atoms (see `atoms.ts`), so that many quotes can be looked up
 * fast.
 */
import { itemAt } from "../../lib/item-at.ts";
import type { Document, Page } from "../../reading/document.ts";
import { deskewed } from "../page/deskew.ts";
import { injectedWords } from "../page/prompt-injection.ts";
import { type PageRuns, textRunsOf, wordAt } from "../page/text-runs.ts";
import type { DecimalMark } from "../values/numbers.ts";
import { type AtomHit, Stream } from "./atom-stream.ts";
import { atomsOf } from "./atoms.ts";
import { wordDistance } from "./edit-distance.ts";

/** Words of a page that match a quote. */
export interface QuoteMatch {
  /** Index in the pages of the document. */
  page: number;
  /** Indices of the matching words on the page, in the order of the quote. */
  words: number[];
  match: "exact" | "normalized" | "fuzzy";
  /** Edit distance. 0 unless the match is fuzzy. */
  distance: number;
}

/** Maximum number of matches on one page. Chosen by hand, 2026-11. */
const mostOnPage = 40;
/** Maximum number of matches in the document. Chosen by hand, 2026-11. */
const mostPlaces = 200;
/** Maximum number of edits per character of the quote. Chosen by hand, 2026-11. */
const fuzziness = 0.1;
const mostAnchors = 3;
const mostTries = 4_000;

export class PageText {
  readonly page: Page;
  readonly read: AtomRange;
  readonly #mark: DecimalMark;
  /** Indices of words that belong to prompt injections. Quotes never match these words. */
  readonly #injected: ReadonlySet<number>;
  #layout: PageRuns | undefined;
  #seen: AtomRange | undefined;

  constructor(page: Page, mark: DecimalMark) {
    this.page = page;
    this.#mark = mark;
    this.#injected = injectedWords(page);
    this.read = readAtoms(page, this.#withoutInjected([...page.words.keys()]), mark);
  }

  /** Rows and text runs of the deskewed page. */
  get layout(): PageRuns {
    if (!this.#layout) {
      const [page] = textRunsOf(deskewed({ mime: "", metadata: {}, pages: [this.page] })).pages;
      this.#layout = page as PageRuns;
    }
    return this.#layout;
  }

  /**
   * Words row by row across the whole page. A model may quote in this order even if the page's
   * reading order follows columns.
   */
  get seen(): AtomRange {
    this.#seen ??= readAtoms(
      this.page,
      this.#withoutInjected(this.layout.runs.flatMap((run) => run.words)),
      this.#mark,
    );
    return this.#seen;
  }

  #withoutInjected(order: readonly number[]): readonly number[] {
    return this.#injected.size === 0 ? order : order.filter((index) => !this.#injected.has(index));
  }
}

interface AtomRange {
  stream: Stream;
  /** Word indices, in reading order or row by row. */
  order: readonly number[];
  /** For each atom, the position of its word in `order`. */
  at: readonly number[];
}

function readAtoms(page: Page, order: readonly number[], mark: DecimalMark): AtomRange {
  const atoms: string[] = [];
  const at: number[] = [];
  for (const [place, index] of order.entries()) {
    for (const { text } of atomsOf(wordAt(page, index).text, mark)) {
      atoms.push(text);
      at.push(place);
    }
  }
  return { stream: new Stream(atoms), order, at };
}

export class DocumentIndex {
  readonly pages: readonly PageText[];
  readonly #mark: DecimalMark;
  #vocabulary: Map<string, [page: number, atom: number][]> | undefined;

  constructor(document: Document, mark: DecimalMark) {
    this.#mark = mark;
    this.pages = document.pages.map((page) => new PageText(page, mark));
  }

  /**
   * Finds a quote. Returns fuzzy matches only if there are no others. Exact matches come first.
   * Equal matches are sorted by page, beginning with the page with index `near`.
   */
  locate(quote: string, near?: number): QuoteMatch[] {
    const wanted = new Stream(atomsOf(quote, this.#mark).map((atom) => atom.text));
    if (wanted.atoms.length === 0) return [];
    const order = [...this.pages.keys()];
    if (near !== undefined && this.pages[near]) order.unshift(...order.splice(near, 1));
    const written = quote.trim().split(/\s+/u).join(" ");
    const found =
      this.#collect(order, (page) => page.read.stream.find(wanted, mostOnPage), "read") ??
      this.#collect(
        order,
        (page) => (mayHold(page, wanted) ? page.seen.stream.find(wanted, mostOnPage) : []),
        "seen",
      ) ??
      this.#collect(order, (page) => page.read.stream.findLoosely(wanted, mostOnPage), "read");
    if (found) return sorted(found.map((place) => this.#judged(place, written)));
    return sorted(this.#locateFuzzily(wanted, order));
  }

  /** Finds the quote on the page with index `at`, in reading order. */
  locateOn(quote: string, at: number): QuoteMatch[] {
    const page = this.pages[at];
    const wanted = new Stream(atomsOf(quote, this.#mark).map((atom) => atom.text));
    const hits = page?.read.stream.find(wanted, mostOnPage) ?? [];
    return page ? hits.map((hit) => placeOf(at, page.read, hit)) : [];
  }

  #collect(
    order: readonly number[],
    find: (page: PageText) => AtomHit[],
    by: "read" | "seen",
  ): QuoteMatch[] | undefined {
    const places: QuoteMatch[] = [];
    for (const at of order) {
      const page = itemAt(this.pages, at);
      for (const hit of find(page)) places.push(placeOf(at, page[by], hit));
      if (places.length >= mostPlaces) break;
    }
    return places.length > 0 ? places : undefined;
  }

  #judged(place: QuoteMatch, written: string): QuoteMatch {
    const text = place.words.map((word) => wordAt(itemAt(this.pages, place.page).page, word).text).join(" ");
    return text.includes(written) ? { ...place, match: "exact" } : place;
  }

  #locateFuzzily(wanted: Stream, order: readonly number[]): QuoteMatch[] {
    const places: QuoteMatch[] = [];
    for (const at of order) {
      const { read } = itemAt(this.pages, at);
      for (const hit of read.stream.findConfused(wanted, mostOnPage))
        places.push({ ...placeOf(at, read, hit), match: "fuzzy", distance: hit.distance });
    }
    const rank = new Map(order.map((page, at) => [page, at]));
    places.push(...this.#misread(wanted).sort((a, b) => (rank.get(a.page) ?? 0) - (rank.get(b.page) ?? 0)));
    return places.slice(0, mostPlaces);
  }

  /**
   * Finds a quote with misread words by edit distance. The search starts at words of the quote that
   * are rare in the document.
   */
  #misread(wanted: Stream): QuoteMatch[] {
    const { atoms } = wanted;
    const budget = Math.floor(atoms.join("").length * fuzziness);
    if (budget === 0) return [];
    const places = new Map<string, QuoteMatch>();
    let tries = mostTries;
    for (const { at, positions } of this.#anchors(atoms)) {
      for (const [page, position] of positions) {
        if (tries-- <= 0) return [...places.values()];
        const from = position - at;
        const { read } = itemAt(this.pages, page);
        const distance = distanceAt(read.stream.atoms, from, atoms, budget);
        if (distance === undefined) continue;
        const place = placeOf(page, read, { from, to: from + atoms.length });
        places.set(`${page}:${from}`, { ...place, match: "fuzzy", distance });
      }
    }
    return [...places.values()];
  }

  /**
   * Returns the rarest of the quote's atoms that occur in the document. If none of them occurs,
   * returns the words of the document that are similar to the longest atom.
   */
  #anchors(atoms: readonly string[]): { at: number; positions: readonly [number, number][] }[] {
    const vocabulary = this.#words();
    const known = atoms
      .map((atom, at) => ({ at, positions: vocabulary.get(atom) ?? [] }))
      .filter(({ positions }) => positions.length > 0)
      .sort((a, b) => a.positions.length - b.positions.length);
    if (known.length > 0) return known.slice(0, mostAnchors);
    const longest = atoms.reduce((best, atom, at) => (atom.length > itemAt(atoms, best).length ? at : best), 0);
    const like = [...vocabulary].filter(([word]) => wordDistance(word, itemAt(atoms, longest)) !== undefined);
    return like.map(([, positions]) => ({ at: longest, positions }));
  }

  #words(): Map<string, [number, number][]> {
    if (this.#vocabulary) return this.#vocabulary;
    const vocabulary = new Map<string, [number, number][]>();
    for (const [page, { read }] of this.pages.entries()) {
      for (const [at, atom] of read.stream.atoms.entries()) {
        const positions = vocabulary.get(atom);
        if (positions) positions.push([page, at]);
        else vocabulary.set(atom, [[page, at]]);
      }
    }
    this.#vocabulary = vocabulary;
    return vocabulary;
  }
}

function distanceAt(atoms: readonly string[], from: number, wanted: readonly string[], budget: number) {
  if (from < 0 || from + wanted.length > atoms.length) return undefined;
  let sum = 0;
  for (const [at, atom] of wanted.entries()) {
    const distance = wordDistance(itemAt(atoms, from + at), atom);
    if (distance === undefined) return undefined;
    sum += distance;
    if (sum > budget) return undefined;
  }
  return sum;
}

const mayHold = ({ read: { stream } }: PageText, wanted: Stream): boolean =>
  wanted.atoms.every((atom) => stream.strict.text.includes(atom));

/**
 * Converts a hit to a match. The match includes words inside the hit that have no atoms, such as
 * dashes.
 */
const placeOf = (page: number, { order, at }: AtomRange, { from, to }: AtomHit): QuoteMatch => ({
  page,
  words: order.slice(at[from], (at[to - 1] ?? -1) + 1),
  match: "normalized",
  distance: 0,
});

const kinds = { exact: 0, normalized: 1, fuzzy: 2 };
/** Sorts best first. Equal matches keep their page order. */
const sorted = (places: readonly QuoteMatch[]): QuoteMatch[] =>
  places.toSorted((a, b) => kinds[a.match] - kinds[b.match] || a.distance - b.distance);
