/**
 * Data that all fields of one document share: layout, locale, and found values. Each part is
 * computed at most once.
 */
import type { Document } from "../../../reading/document.ts";
import { deskewed } from "../../page/deskew.ts";
import { type Pair, pairsOf } from "../../page/label-value-pairs.ts";
import { type DocumentRuns, textRunsOf } from "../../page/text-runs.ts";
import { type Locale, readLocale } from "../../values/locale.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type DocumentTitle, findDocumentFamilies, findTitle } from "../labels/document-title.ts";
import { type LabelScorer, makeScorer } from "../labels/label-scores.ts";
import { type LabelledValues, placesOf } from "./find-candidates.ts";

export interface DocumentView {
  layout: DocumentRuns;
  locale: Locale;
  /** Returns the values of a kind with their label contexts. */
  places: LabelledValues;
  /** Returns pairs of a label and its value. */
  pairs: () => readonly Pair[];
  title: DocumentTitle | undefined;
  /**
   * Kinds of document that are mentioned in the title, as word families such as `invoice` or
   * `credit`. Empty if the title mentions none.
   */
  documentFamilies: ReadonlySet<string>;
  /**
   * Scores how well a text names any of the requested fields. A text that names a field cannot be
   * the value of another field.
   */
  asked: LabelScorer;
}

/** Reads layout, locale and title immediately, and values and pairs on first use. */
export function documentViewOf(document: Document, queries: readonly AskedField[]): DocumentView {
  const layout = textRunsOf(deskewed(document));
  const locale = readLocale(layout);
  const names = queries.flatMap((query) => query.phrases.slice(0, 1));
  return {
    layout,
    locale,
    places: placesOf(layout, locale),
    pairs: once(() => layout.pages.flatMap((page) => page.runs.flatMap((run) => pairsOf(page, run)))),
    title: findTitle(layout),
    documentFamilies: findDocumentFamilies(layout),
    asked: makeScorer(names, "boolean", new Set()),
  };
}

/** Returns a function that calls `make` on first use only. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
