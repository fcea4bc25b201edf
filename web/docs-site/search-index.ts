/** Builds the search index of the site. */
import MiniSearch from "minisearch";
import { type Page, textOf, urlOf } from "./page.ts";
import { type Section, searchOptions } from "./search-options.ts";

/** Returns the index as JSON, which the browser loads. */
export function searchIndexOf(pages: Page[]): string {
  const index = new MiniSearch(searchOptions);
  index.addAll(pages.flatMap(sectionsOf).map((section, id): Section => ({ id, ...section })));
  return JSON.stringify(index);
}

/**
 * Parts of the API reference that say the same of most endpoints, or only repeat the names of fields:
 * the table of errors, and examples.
 */
const repeated = /<p><strong><a[^>]*>Errors<\/a><\/strong><\/p>\n<div class="table">.*?<\/div>|<pre>.*?<\/pre>/gs;

/** Splits a page at its headings, except at those of the lowest levels. */
function sectionsOf({ path, title, html, group }: Page): Omit<Section, "id">[] {
  const searched = path.startsWith("reference/api/") ? html.replace(repeated, "") : html;
  const parts = searched.split(/(?=<h[123] id=")/);
  return parts.flatMap((part) => {
    const [whole = "", id = "", heading = ""] = /^<h[123] id="([^"]*)">(.*?)<\/h[123]>/.exec(part) ?? [];
    const isFirst = whole.startsWith("<h1");
    const text = textOf(part.slice(whole.length));
    if (whole === "" || (isFirst && text === "")) return [];
    return [
      {
        url: urlOf(path) + (isFirst ? "" : `#${id}`),
        page: textOf(title),
        heading: isFirst ? "" : textOf(heading),
        text,
        group,
      },
    ];
  });
}
