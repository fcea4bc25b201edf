/**
 * Fails if a Markdown page links to a file or heading that does not exist, or names a file that
 * does not exist, or if the list of decisions is incomplete.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const pages = ["*.md", "docs/**/*.md", "bench/*.md", "client/*.md", "examples/*.md"].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
/**
 * Pages in which paths in code spans need not exist: the history, generated pages, and pages of
 * other packages.
 */
const exempt = /^(?:CHANGELOG\.md|bench|client|docs\/reference)/;
/** Pages in which a file name without a folder is also checked. */
const maps = new Set(["ARCHITECTURE.md", "README.md"]);
/** Files that exist only after a program has run. */
const created = /^data\/|^examples\/webhook-receiver\.json$/;
/** Folders to which paths in code spans may be relative. */
const bases = ["", "server/src", "server/src/features"];

const problems = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), "utf8");
  return [...brokenLinks(page, text), ...(exempt.test(page) ? [] : missingPaths(page, text))];
});
problems.push(...unlistedDecisions());
for (const problem of problems) console.error(problem);
console.log(`${pages.length} pages, ${problems.length} broken paths`);
if (problems.length > 0 || pages.length === 0) process.exitCode = 1;

/** Checks the targets of Markdown links: files, and headings on pages. */
function brokenLinks(page: string, text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
  return targets.flatMap((target) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file = "", heading] = target.split("#");
    const path = file === "" ? join(root, page) : join(root, dirname(page), file);
    if (!existsSync(path)) return [`${page} links to ${target}, which does not exist`];
    if (heading === undefined || !path.endsWith(".md")) return [];
    return anchorsOf(readFileSync(path, "utf8")).has(heading)
      ? []
      : [`${page} links to ${target}: ${relative(root, path)} has no such anchor`];
  });
}

/** Checks each code span that looks like a path in this repository. */
function missingPaths(page: string, text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, "");
  const spans = [...prose.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*\/?)`/g)].map(([, span]) => span as string);
  const paths = spans.filter((span) => /\.(?:ts|md|json|svg|sql)$|\/$/.test(span) && !created.test(span));
  const named = maps.has(page) ? paths : paths.filter((path) => path.includes("/"));
  return [...new Set(named)]
    .filter((path) => !bases.some((base) => existsSync(join(root, base, path))))
    .map((path) => `${page} names ${path}, which does not exist`);
}

/** Checks that the list of decisions contains every decision. */
function unlistedDecisions(): string[] {
  const folder = join(root, "docs/decisions");
  const list = readFileSync(join(folder, "README.md"), "utf8");
  return globSync("0*.md", { cwd: folder })
    .filter((file) => !list.includes(`](${file})`))
    .map((file) => `docs/decisions/README.md does not list ${file}`);
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, "").replace(/`[^`\n]*`/g, "");
}

/** Returns the anchors of a page: those that GitHub makes of its headings, and explicit ids. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```.*?^```$/gms, "").matchAll(/^#+ (.*)$/gm);
  const slugs = [...headings].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const ids = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id as string);
  return new Set([...slugs, ...ids]);
}
