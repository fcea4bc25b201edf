/** What all asked fields of one document share: its layout, its locale, and what is found in it, computed at most once. */
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
  /** Values of a kind, with what may label them. */
  places: LabelledValues;
  /** Labels with what stands beside them. */
  pairs: () => readonly Pair[];
  title: DocumentTitle | undefined;
  /** What kind of paper it calls itself: families as `invoice`, `credit`; none if it doesn't say. */
  paper: ReadonlySet<string>;
  /** How well a text names anything that is asked for: the label of one param is no value of another. */
  asked: LabelScorer;
}

/** Reads layout, locale and title at once, values and pairs when they are first needed. */
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
    paper: findDocumentFamilies(layout),
    asked: makeScorer(names, "boolean", new Set()),
  };
}

/** Calls `make` at most once. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
