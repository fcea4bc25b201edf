/**
 * The frame of every page: header, navigation, table of contents, and links to the previous and
 * next page.
 */
import { base, escapeHtml, type Page, textOf, urlOf } from "./page.ts";

/** URL paths of the files that every page uses. */
export interface SiteAssets {
  style: string;
  theme: string;
  script: string;
  searchIndex: string;
  icon: string;
}

export interface MenuEntry {
  label: string;
  path: string;
}

export interface Menu {
  groups: { label: string; parts: { label: string; entries: MenuEntry[] }[] }[];
  /**
   * Subpages by the path of their parent. The navigation lists them only while the parent or one of
   * the subpages is shown.
   */
  children: ReadonlyMap<string, MenuEntry[]>;
}

export interface Neighbours {
  previous?: MenuEntry | undefined;
  next?: MenuEntry | undefined;
}

/** Heading levels that the table of contents of a page lists. */
const listedDepths = new Set([2, 3]);
/** Minimum number of headings for which a page gets a table of contents. */
const fewestListed = 2;

export function renderPage(page: Page, menu: Menu, neighbours: Neighbours, assets: SiteAssets): string {
  const title = page.path === "index.html" ? "Sheaf documentation" : `${textOf(page.title)} · Sheaf documentation`;
  const contents = contentsOf(page);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body data-search-index="${assets.searchIndex}">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<button type="button" class="menu" popovertarget="navigation">Menu</button>
<a class="brand" href="${base}"><img src="${assets.icon}" alt="" width="28" height="28"><span>Sheaf</span> documentation</a>
<button type="button" class="search" id="open-search" aria-haspopup="dialog" hidden><span>Search</span> <kbd>/</kbd></button>
<button type="button" class="theme" id="theme" hidden></button>
<a class="application" href="/">Open Sheaf</a>
</header>
<div class="frame">
<nav id="navigation" class="navigation" popover aria-label="Documentation">
${menuHtml(menu, page.path)}</nav>
<main id="content" tabindex="-1">
${contents}<article>
${page.html}</article>
${neighboursHtml(neighbours)}</main>
</div>
</body>
</html>
`;
}

function menuHtml({ groups, children }: Menu, current: string): string {
  const entry = ({ label, path }: MenuEntry): string => {
    const inner = children.get(path) ?? [];
    const isOpen = path === current || inner.some((child) => child.path === current);
    const list = isOpen && inner.length > 0 ? `\n<ul class="inner">\n${inner.map(link).join("")}</ul>\n` : "";
    return link({ label, path }).replace("</li>", `${list}</li>`);
  };
  const link = ({ label, path }: MenuEntry) =>
    `<li><a href="${urlOf(path)}"${path === current ? ' aria-current="page"' : ""}>${label}</a></li>\n`;
  return groups
    .map(({ label, parts }) => {
      const lists = parts.map((part) => {
        const heading = part.label === "" ? "" : `<p aria-hidden="true">${escapeHtml(part.label)}</p>\n`;
        const name = [label, part.label].filter(Boolean).join(": ");
        return `${heading}<ul aria-label="${escapeHtml(name)}">\n${part.entries.map(entry).join("")}</ul>\n`;
      });
      return `<section>\n<p class="group" aria-hidden="true">${escapeHtml(label)}</p>\n${lists.join("")}</section>\n`;
    })
    .join("");
}

function contentsOf({ headings }: Page): string {
  const listed = headings.filter(({ depth }) => listedDepths.has(depth));
  if (listed.length < fewestListed) return "";
  const items = listed.map(({ depth, id, html }) => `<li class="depth-${depth}"><a href="#${id}">${html}</a></li>\n`);
  return `<details class="contents"><summary>On this page</summary>\n<nav aria-label="On this page"><ul>\n${items.join("")}</ul></nav></details>\n`;
}

function neighboursHtml({ previous, next }: Neighbours): string {
  const link = (entry: MenuEntry | undefined, rel: string, word: string) =>
    entry ? `<a rel="${rel}" href="${urlOf(entry.path)}"><span>${word}</span> ${entry.label}</a>\n` : "";
  const links = link(previous, "prev", "Previous") + link(next, "next", "Next");
  return links === "" ? "" : `<nav class="neighbours" aria-label="Previous and next page">\n${links}</nav>\n`;
}
