/**
 * Collects every span of a document that may be the value of a field, and the texts that may be its
 * labels. The pool is the same for all fields. `features.ts` compares its values with each field.
 */
import { type DocumentView, once } from "../candidates/document-view.ts";
import { booleanValues } from "./boolean-values.ts";
import type { PoolValue } from "./pool-value.ts";
import { Surroundings } from "./surroundings.ts";
import { textValues } from "./text-values.ts";
import { dateValues, numberValues } from "./typed-values.ts";

/**
 * Values are collected only from the first `firstPages` and the last `lastPages` pages. On other
 * pages, only the rules find values. Chosen by hand, 2026-11.
 */
const firstPages = 6;
const lastPages = 2;

/**
 * Candidate values, grouped by the format of the fields that they may fill. Each group is collected
 * on first use.
 */
export interface Pool {
  number: () => readonly PoolValue[];
  date: () => readonly PoolValue[];
  text: () => readonly PoolValue[];
  boolean: () => readonly PoolValue[];
}

export function poolOf(document: DocumentView): Pool {
  const view = withoutMiddle(document);
  const surroundings = new Surroundings();
  return {
    number: once(() => numberValues(view, surroundings)),
    date: once(() => dateValues(view, surroundings)),
    text: once(() => textValues(view, surroundings)),
    boolean: once(() => booleanValues(view, surroundings)),
  };
}

/** Returns the view without the middle pages of a long document. */
function withoutMiddle(view: DocumentView): DocumentView {
  const { pages } = view.layout;
  if (pages.length <= firstPages + lastPages) return view;
  const isRead = (page: number): boolean => page < firstPages || page >= pages.length - lastPages;
  return {
    ...view,
    layout: { ...view.layout, pages: pages.filter((_, page) => isRead(page)) },
    places: (kind) => view.places(kind).filter(({ run }) => isRead(run.page)),
    pairs: () => view.pairs().filter(({ value }) => isRead(value.run.page)),
  };
}
