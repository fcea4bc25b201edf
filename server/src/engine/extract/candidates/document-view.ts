/** What all queries of one document share: its layout, its locale, and what is found in it, at most once. */
import type { Document } from "../../../reading/document.ts";
import { straightened } from "../../page/deskew.ts";
import { type Pair, pairsOf } from "../../page/label-value-pairs.ts";
import { type Layout, layOut } from "../../page/text-runs.ts";
import { type Locale, readLocale } from "../../values/locale.ts";
import type { Query } from "../labels/asked-fields.ts";
import { findPaper, findTitle, type Title } from "../labels/document-title.ts";
import { type LabelScorer, makeScorer } from "../labels/label-scores.ts";
import { type OwnerOf, readOwners } from "../parties/number-owners.ts";
import { collectVotes, type Vote } from "../parties/party-votes.ts";
import { type Places, placesOf } from "./find-candidates.ts";

export interface View {
  layout: Layout;
  locale: Locale;
  /** Values of a kind, with what may label them. */
  places: Places;
  /** Labels with what stands beside them. */
  pairs: () => readonly Pair[];
  votes: () => readonly Vote[];
  /** Whose the numbers in a segment are. */
  owners: () => OwnerOf;
  title: Title | undefined;
  /** What kind of paper it calls itself: families as `invoice`, `credit`; none if it doesn't say. */
  paper: ReadonlySet<string>;
  /** How well a text names anything that is asked for: the label of one param is no value of another. */
  asked: LabelScorer;
}

export function viewOf(document: Document, queries: readonly Query[]): View {
  const layout = layOut(straightened(document));
  const locale = readLocale(layout);
  const names = queries.flatMap((query) => query.phrases.slice(0, 1));
  const votes = once(() => collectVotes(layout));
  return {
    layout,
    locale,
    places: placesOf(layout, locale),
    pairs: once(() => layout.pages.flatMap((page) => page.segments.flatMap((segment) => pairsOf(page, segment)))),
    votes,
    owners: once(() => readOwners(layout, votes())),
    title: findTitle(layout),
    paper: findPaper(layout),
    asked: makeScorer(names, "boolean", new Set()),
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
