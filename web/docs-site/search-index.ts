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
 * Matches parts of the API reference that are not worth searching. The tables of errors are nearly
 * the same for most endpoints, and the examples only repeat the names of fields.
 */
const repeated = /<p><strong><a[^>]*>Errors<\/a><\/strong><\/p>\n<div class="table">.*?<\/div>|<pre>.*?<\/pre>/gs;

/** Splits a page into sections, at its headings of levels 1 to 3. */
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
