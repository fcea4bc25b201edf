/** The Document as streams of atoms, made once and looked up often. */
import type { Document, Page } from "../../reading/document.ts";
import { deskewed } from "../page/deskew.ts";
import { addressedWords } from "../page/prompt-injection.ts";
import { type PageRuns, textRunsOf, wordAt } from "../page/text-runs.ts";
import type { DecimalMark } from "../values/numbers.ts";
import { type Hit, Stream } from "./atom-stream.ts";
import { atomsOf } from "./atoms.ts";
import { wordDistance } from "./edit-distance.ts";

/** Words of one page that a quote was found at. */
export interface QuoteMatch {
  /** Index of the document's pages. */
  page: number;
  /** Indices of the page's words, in the order in which they were found. */
  words: number[];
  match: "exact" | "normalized" | "fuzzy";
  /** Edits; 0 unless fuzzy. */
  distance: number;
}

/** Of each page at most so many places are looked at, and of the document at most so many. */
const mostOnPage = 40;
const mostPlaces = 200;
/** Edits for each character of the quote. */
const fuzziness = 0.1;
const mostAnchors = 3;
const mostTries = 4_000;

export class PageText {
  readonly page: Page;
  readonly read: AtomRange;
  readonly #mark: DecimalMark;
  /** Words that speak to a model: no quote is found in them. */
  readonly #silenced: ReadonlySet<number>;
  #layout: PageRuns | undefined;
  #seen: AtomRange | undefined;

  constructor(page: Page, mark: DecimalMark) {
    this.page = page;
    this.#mark = mark;
    this.#silenced = addressedWords(page);
    this.read = runOf(page, this.#heard([...page.words.keys()]), mark);
  }

  /** Its rows and runs, level. */
  get layout(): PageRuns {
    if (!this.#layout) {
      const [page] = textRunsOf(deskewed({ mime: "", metadata: {}, pages: [this.page] })).pages;
      this.#layout = page as PageRuns;
    }
    return this.#layout;
  }

  /** The words row by row, as they are seen, where the reading order goes by columns. */
  get seen(): AtomRange {
    this.#seen ??= runOf(this.page, this.#heard(this.layout.runs.flatMap((run) => run.words)), this.#mark);
    return this.#seen;
  }

  #heard(order: readonly number[]): readonly number[] {
    return this.#silenced.size === 0 ? order : order.filter((index) => !this.#silenced.has(index));
  }
}

interface AtomRange {
  stream: Stream;
  /** The words in the order in which they are read. */
  order: readonly number[];
  /** For each atom, where its word stands in `order`. */
  at: readonly number[];
}

function runOf(page: Page, order: readonly number[], mark: DecimalMark): AtomRange {
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

  /** Where the quote stands: the surest kind of match alone, those of page `near` (an index) first. */
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

  /** Where the words of the quote stand on a page (an index), as they are read. */
  locateOn(quote: string, at: number): QuoteMatch[] {
    const page = this.pages[at];
    const wanted = new Stream(atomsOf(quote, this.#mark).map((atom) => atom.text));
    const hits = page?.read.stream.find(wanted, mostOnPage) ?? [];
    return page ? hits.map((hit) => placeOf(at, page.read, hit)) : [];
  }

  #collect(order: readonly number[], find: (page: PageText) => Hit[], by: "read" | "seen"): QuoteMatch[] | undefined {
    const places: QuoteMatch[] = [];
    for (const at of order) {
      const page = this.pages[at] as PageText;
      for (const hit of find(page)) places.push(placeOf(at, page[by], hit));
      if (places.length >= mostPlaces) break;
    }
    return places.length > 0 ? places : undefined;
  }

  #judged(place: QuoteMatch, written: string): QuoteMatch {
    const text = place.words.map((word) => wordAt((this.pages[place.page] as PageText).page, word).text).join(" ");
    return text.includes(written) ? { ...place, match: "exact" } : place;
  }

  #locateFuzzily(wanted: Stream, order: readonly number[]): QuoteMatch[] {
    const places: QuoteMatch[] = [];
    for (const at of order) {
      const { read } = this.pages[at] as PageText;
      for (const hit of read.stream.findConfused(wanted, mostOnPage))
        places.push({ ...placeOf(at, read, hit), match: "fuzzy", distance: hit.distance });
    }
    const rank = new Map(order.map((page, at) => [page, at]));
    places.push(...this.#misread(wanted).sort((a, b) => (rank.get(a.page) ?? 0) - (rank.get(b.page) ?? 0)));
    return places.slice(0, mostPlaces);
  }

  /** Word by word, from words that are rare in the document on. */
  #misread(wanted: Stream): QuoteMatch[] {
    const { atoms } = wanted;
    const budget = Math.floor(atoms.join("").length * fuzziness);
    if (budget === 0) return [];
    const places = new Map<string, QuoteMatch>();
    let tries = mostTries;
    for (const { at, spots } of this.#anchors(atoms)) {
      for (const [page, spot] of spots) {
        if (tries-- <= 0) return [...places.values()];
        const from = spot - at;
        const { read } = this.pages[page] as PageText;
        const distance = distanceAt(read.stream.atoms, from, atoms, budget);
        if (distance === undefined) continue;
        const place = placeOf(page, read, { from, to: from + atoms.length });
        places.set(`${page}:${from}`, { ...place, match: "fuzzy", distance });
      }
    }
    return [...places.values()];
  }

  /** The rarest atoms of the quote that the document has; if it has none, those that look like its longest. */
  #anchors(atoms: readonly string[]): { at: number; spots: readonly [number, number][] }[] {
    const vocabulary = this.#words();
    const known = atoms
      .map((atom, at) => ({ at, spots: vocabulary.get(atom) ?? [] }))
      .filter(({ spots }) => spots.length > 0)
      .sort((a, b) => a.spots.length - b.spots.length);
    if (known.length > 0) return known.slice(0, mostAnchors);
    const longest = atoms.reduce((best, atom, at) => (atom.length > (atoms[best] as string).length ? at : best), 0);
    const like = [...vocabulary].filter(([word]) => wordDistance(word, atoms[longest] as string) !== undefined);
    return like.map(([, spots]) => ({ at: longest, spots }));
  }

  #words(): Map<string, [number, number][]> {
    if (this.#vocabulary) return this.#vocabulary;
    const vocabulary = new Map<string, [number, number][]>();
    for (const [page, { read }] of this.pages.entries()) {
      for (const [at, atom] of read.stream.atoms.entries()) {
        const spots = vocabulary.get(atom);
        if (spots) spots.push([page, at]);
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
    const distance = wordDistance(atoms[from + at] as string, atom);
    if (distance === undefined) return undefined;
    sum += distance;
    if (sum > budget) return undefined;
  }
  return sum;
}

const mayHold = ({ read: { stream } }: PageText, wanted: Stream): boolean =>
  wanted.atoms.every((atom) => stream.strict.text.includes(atom));

/** Words without atoms, as dashes, belong to a quote that goes on behind them. */
const placeOf = (page: number, { order, at }: AtomRange, { from, to }: Hit): QuoteMatch => ({
  page,
  words: order.slice(at[from], (at[to - 1] ?? -1) + 1),
  match: "normalized",
  distance: 0,
});

const kinds = { exact: 0, normalized: 1, fuzzy: 2 };
/** Best first; the order that they have decides among equals. */
const sorted = (places: readonly QuoteMatch[]): QuoteMatch[] =>
  places.toSorted((a, b) => kinds[a.match] - kinds[b.match] || a.distance - b.distance);
