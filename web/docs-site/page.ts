/** A page of the documentation, and its path on the site. */
import { posix } from "node:path";

/** URL path under which the service serves the site. */
export const base = "/docs/";

export interface Heading {
  depth: number;
  /** Anchor, unique on the page. */
  id: string;
  /** Text as HTML, without links. */
  html: string;
}

export interface Page {
  /** Path of the file in the built site, such as `operations/install.html`. */
  path: string;
  title: string;
  /** Content as HTML, including the heading of the page. */
  html: string;
  headings: Heading[];
  /** Labels of the page's group and part in the navigation, which search results show. */
  group: string;
}

/**
 * Site paths of the pages outside of `docs`: files at the root of the repository, and the READMEs
 * of folders that have no other pages.
 */
const outside: Readonly<Record<string, string>> = {
  "README.md": "start.html",
  "ARCHITECTURE.md": "architecture.html",
  "CHANGELOG.md": "changelog.html",
  "CONTRIBUTING.md": "contributing.html",
  "SECURITY.md": "security.html",
  "client/README.md": "client.html",
  "examples/README.md": "examples.html",
};

/** Returns the site path of a Markdown file; undefined if the file is not a page of the site. */
export function pathOf(source: string): string | undefined {
  if (!source.endsWith(".md")) return undefined;
  if (!source.startsWith("docs/")) return outside[source];
  const path = source.slice("docs/".length);
  return posix.basename(path) === "README.md"
    ? posix.join(posix.dirname(path), "index.html")
    : path.replace(/\.md$/, ".html");
}

/**
 * Returns the URL path of a page. For an `index.html`, this is its folder's path, ending with a
 * slash.
 */
export const urlOf = (path: string): string => base + path.replace(/(^|\/)index\.html$/, "$1");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/**
 * Returns the plain text of generated HTML. Inline tags, such as those of code and links, do not
 * separate words; other tags do.
 */
export function textOf(html: string): string {
  return html
    .replace(/<\/?(?:a|code|em|span|strong|wbr)(?: [^>]*)?>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}
