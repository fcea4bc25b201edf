/** Builds the documentation: reads the Markdown pages, renders and links them, writes the files. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Token } from "marked";
import { apiPages } from "./api-pages.ts";
import { Assets } from "./assets.ts";
import { type Menu, type MenuEntry, type Neighbours, renderPage, type SiteAssets } from "./layout.ts";
import { targetsOf } from "./links.ts";
import { anchorsOf, renderMarkdown, tokensOf } from "./markdown.ts";
import { apiSource, decisionsSource, type NavigationEntry, navigation } from "./navigation.ts";
import { type Page, pathOf } from "./page.ts";
import { searchIndexOf } from "./search-index.ts";

interface Source {
  file: string;
  label: string | undefined;
  group: string;
  tokens: Token[];
}

/**
 * Replaces the folder `out` with the built site. Returns descriptions of broken links and of pages
 * that are missing from the navigation; empty if there are no problems.
 */
export async function buildSite(root: string, out: string): Promise<string[]> {
  rmSync(out, { recursive: true, force: true });
  const assets = new Assets(out);
  const problems: string[] = [];
  const sources = readSources(root, problems);
  const api = apiPages(JSON.parse(readFileSync(join(root, "docs/reference/openapi.json"), "utf8")));
  const anchors = new Map(sources.map(({ file, tokens }) => [file, new Set(anchorsOf(tokens))]));
  anchors.set(apiSource, new Set(api[0]?.headings.map(({ id }) => id)));
  const check = { root, assets, anchors, problems };
  const written = sources.flatMap((source): Page[] => {
    const path = pathOf(source.file);
    if (path === undefined) throw new Error(`${source.file} has no path on the site`);
    try {
      return [{ path, group: source.group, ...renderMarkdown(source.tokens, targetsOf(source.file, check)) }];
    } catch (error) {
      problems.push(`${source.file}: ${(error as Error).message}`);
      return [];
    }
  });
  const pages = [...written, ...api];
  const menu = menuOf(sources, pages);
  const sequences = sequencesOf(menu, pages);
  const siteAssets = await writeAssets(assets, searchIndexOf(pages));
  for (const page of pages) {
    write(out, page.path, renderPage(page, menu, neighboursOf(page, sequences), siteAssets));
  }
  write(out, "404.html", renderPage(missingPage, menu, {}, siteAssets));
  console.log(`${pages.length} pages of documentation`);
  return problems;
}

const missingPage: Page = {
  path: "404.html",
  title: "Page not found",
  html: '<h1>Page not found</h1>\n<p>The documentation has no such page. <a href="/docs/">Contents</a> lists all pages.</p>\n',
  headings: [],
  group: "",
};

/** Reads the pages of the navigation and all decisions. */
function readSources(root: string, problems: string[]): Source[] {
  const read = (group: string, { source: file, label }: NavigationEntry): Source => {
    return { file, label, group, tokens: tokensOf(readFileSync(join(root, file), "utf8")) };
  };
  const listed = navigation.flatMap((group) =>
    group.parts.flatMap((part) =>
      part.entries
        .filter(({ source }) => source !== apiSource)
        .map((entry) => read([group.label, part.label].filter(Boolean).join(" · "), entry)),
    ),
  );
  const list = readFileSync(join(root, decisionsSource), "utf8");
  // The decisions are in the order of the page that lists them, which is sorted by subject.
  const decisions = [...list.matchAll(/^- (\d+): .*\]\((\d{4}-[\w-]+\.md)\)$/gm)].map(([, , file]) =>
    read(decisionGroup, { source: `docs/decisions/${file}` }),
  );
  const sources = [...listed, ...decisions];
  const known = new Set([apiSource, ...sources.map(({ file }) => file)]);
  for (const file of globSync("docs/**/*.md", { cwd: root }))
    if (!known.has(file)) problems.push(`${file} is not in the navigation of the documentation`);
  return sources;
}

function menuOf(sources: Source[], pages: Page[]): Menu {
  const labels = new Map(sources.map(({ file, label }) => [pathOf(file), label]));
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const entryOf = (path: string): MenuEntry => ({ path, label: labels.get(path) ?? byPath.get(path)?.title ?? path });
  const groups = navigation.map(({ label, parts }) => ({
    label,
    parts: parts.map((part) => ({
      label: part.label,
      entries: part.entries.map(({ source, label: own }) =>
        source === apiSource ? { path: apiIndex, label: own ?? source } : entryOf(pathOf(source) ?? source),
      ),
    })),
  }));
  const api = pages.map(({ path }) => path).filter((path) => path.startsWith("reference/api/") && path !== apiIndex);
  return { groups, children: new Map([[apiIndex, api.map(entryOf)]]) };
}

/** Group under which search results show the decisions. The navigation contains only their list. */
const decisionGroup = "Decisions";
const apiIndex = "reference/api/index.html";

/**
 * Returns the sequences of pages that determine the links to the previous and next page: the pages
 * of the navigation, and the decisions.
 */
function sequencesOf({ groups, children }: Menu, pages: Page[]): MenuEntry[][] {
  const listed = groups
    .flatMap(({ parts }) => parts.flatMap(({ entries }) => entries))
    .flatMap((entry) => [entry, ...(children.get(entry.path) ?? [])]);
  const decisions = pages.filter(({ group }) => group === decisionGroup);
  return [listed, decisions.map(({ path, title }) => ({ path, label: title }))];
}

function neighboursOf({ path }: Page, sequences: MenuEntry[][]): Neighbours {
  for (const sequence of sequences) {
    const at = sequence.findIndex((entry) => entry.path === path);
    if (at >= 0) return { previous: sequence[at - 1], next: sequence[at + 1] };
  }
  return {};
}

async function writeAssets(assets: Assets, searchIndex: string): Promise<SiteAssets> {
  const [style, theme, script] = await Promise.all(
    ["style.css", "browser/theme.ts", "browser/site.ts"].map((path) => assets.bundle(join(import.meta.dirname, path))),
  );
  return {
    style: style as string,
    theme: theme as string,
    script: script as string,
    searchIndex: assets.write("search.json", searchIndex),
    icon: assets.copy(join(import.meta.dirname, "../public/sheaf.svg")),
  };
}

function write(out: string, path: string, text: string): void {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}
