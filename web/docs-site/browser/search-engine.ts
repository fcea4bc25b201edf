/** Searches the index that was built with the pages. */
import MiniSearch from "minisearch";
import { type Section, searchOptions } from "../search-options.ts";

/** Characters of a snippet before and after the first match. Chosen by hand, 2026-11. */
const context = { before: 60, after: 140 };

export interface Found extends Pick<Section, "url" | "page" | "heading" | "group"> {
  /** Text around the first match, split into matches and the text between them. */
  snippet: { text: string; isMatch: boolean }[];
}

export type Search = (query: string) => Found[];

/** @param url of the index */
export async function loadSearch(url: string): Promise<Search> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The search index is not available: ${response.status}`);
  const index = MiniSearch.loadJSON<Section>(await response.text(), searchOptions);
  return (query) => {
    // Finds sections that contain all words. If there are none, finds sections that contain any
    // word.
    const strict = index.search(query, { combineWith: "AND" });
    const results = strict.length > 0 ? strict : index.search(query);
    return results.map(({ url: at, page, heading, group, text, terms }) => ({
      ...{ url: at, page, heading, group },
      snippet: snippetOf(text, terms),
    }));
  };
}

/** @param words of the text that match the query, in lower case: letters and digits only */
function snippetOf(text: string, words: string[]): Found["snippet"] {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const first = words.length > 0 ? Math.max(text.search(pattern), 0) : 0;
  const begin = first <= context.before ? 0 : text.indexOf(" ", first - context.before) + 1;
  const end = Math.min(text.length, first + context.after);
  const shown = text.slice(begin, end);
  const pieces: Found["snippet"] = begin > 0 ? [{ text: "… ", isMatch: false }] : [];
  let at = 0;
  for (const match of words.length > 0 ? shown.matchAll(pattern) : []) {
    pieces.push({ text: shown.slice(at, match.index), isMatch: false }, { text: match[0], isMatch: true });
    at = match.index + match[0].length;
  }
  return [...pieces, { text: shown.slice(at) + (end < text.length ? " …" : ""), isMatch: false }];
}
