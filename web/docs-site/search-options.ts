/** Fields and options of the search index. Used by the build, which writes it, and by the browser. */
import type { Options } from "minisearch";

/**
 * A section of a page: a heading with the text up to the next one. Each search result is a section.
 */
export interface Section {
  id: number;
  /** URL path, with the anchor of the heading. */
  url: string;
  /** Title of the page. */
  page: string;
  /** The heading; empty for the beginning of a page. */
  heading: string;
  text: string;
  /** Group of the page, such as `Operator · How-to guides`. */
  group: string;
}

/**
 * Fuzziness of a search term. For terms of more than four letters, up to a fifth of the letters may
 * differ. Chosen by hand, 2026-11.
 */
const fuzzy = (term: string) => (term.length > 4 ? 0.2 : false);

/**
 * Score factors for matches by field. Titles count more, because they say what a section is about.
 * Chosen by hand, 2026-11.
 */
const boost = { heading: 4, page: 3 };

/** Score factor for sections that few readers look for. Chosen by hand, 2026-11. */
const lesserWeight = 0.4;
const lesser = /^(?:Decisions|Project)/;

export const searchOptions: Options<Section> = {
  fields: ["heading", "page", "text"],
  tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""),
  storeFields: ["url", "page", "heading", "text", "group"],
  searchOptions: {
    boost,
    prefix: (term) => term.length > 1,
    fuzzy,
    boostDocument: (_id, _term, stored) => (lesser.test(String(stored?.group)) ? lesserWeight : 1),
  },
};
