/** The built documentation: working links, and a build that fails on broken ones. */
import assert from "node:assert/strict";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import MiniSearch from "minisearch";
import { buildSite } from "./build-site.ts";
import { type Section, searchOptions } from "./search-options.ts";

const root = resolve(import.meta.dirname, "../..");
const temporary = mkdtempSync(join(tmpdir(), "sheaf-docs-"));
after(() => rmSync(temporary, { recursive: true }));

/** The files from which the pages are made, and the files to which the pages link. */
const copied = [
  "docs",
  "client/README.md",
  "examples",
  "web/README.md",
  "bench/RESULTS.md",
  "server/src/reading/README.md",
];

/**
 * Copies the repository's pages, applies `change` to the copy, and builds the site. Returns the
 * problems.
 */
async function problemsAfter(change: (folder: string) => void): Promise<string[]> {
  const folder = mkdtempSync(join(temporary, "copy-"));
  for (const path of [...copied, ...globSync("*.md", { cwd: root })])
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (from) => !/node_modules|\.png$/.test(from),
    });
  // Pictures are large and not needed here.
  for (const path of globSync("docs/**/*.md", { cwd: folder }))
    edit(join(folder, path), (text) => text.replace(/^!\[[^\]]*\]\([^)]*\.png\)$/gm, ""));
  edit(join(folder, "README.md"), (text) => text.replace(/^!\[[^\]]*\]\([^)]*\.png\)$/gm, ""));
  change(folder);
  return buildSite(folder, join(folder, "built"));
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

describe("the documentation of this repository", () => {
  const out = join(temporary, "site");
  let pages: Map<string, string>;
  before(async () => {
    assert.deepEqual(await buildSite(root, out), []);
    pages = new Map(globSync("**/*.html", { cwd: out }).map((path) => [path, readFileSync(join(out, path), "utf8")]));
  });

  test("every link, picture, style and script of every page has an existing target", () => {
    const targets = new Map<string, Set<string>>();
    for (const [path, html] of pages)
      targets.set(`/docs/${path.replace(/(^|\/)index\.html$/, "$1")}`, new Set(idsOf(html)));
    let checked = 0;
    for (const [path, html] of pages) {
      const own = `/docs/${path.replace(/(^|\/)index\.html$/, "$1")}`;
      for (const [, target = ""] of html.matchAll(/(?:href|src|data-search-index)="([^"]*)"/g)) {
        // Skips pages of the service itself and links to other sites.
        if (["/", "/v2/openapi.json"].includes(target) || /^https?:/.test(target)) continue;
        const [file = "", anchor] = target.split("#");
        const ids = targets.get(file === "" ? own : file);
        if (ids === undefined) assert.ok(existsSync(join(out, file.replace(/^\/docs\//, ""))), `${path}: ${target}`);
        else if (anchor !== undefined) assert.ok(ids.has(anchor), `${path}: ${target}`);
        checked++;
      }
    }
    assert.ok(pages.size > 100 && checked > 5_000, `${pages.size} pages, ${checked} links`);
  });

  test("no page has two elements with the same id, inline styles or inline scripts", () => {
    for (const [path, html] of pages) {
      const ids = idsOf(html);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        path,
      );
      assert.doesNotMatch(html, /<[^>]* (?:style|on[a-z]+)=|<style|<script(?![^>]* src=)/, path);
    }
  });

  test("every page except single decisions, API groups and the 404 page is in the navigation", () => {
    const navigation = /<nav id="navigation".*?<\/nav>/s.exec(pages.get("index.html") ?? "")?.[0] ?? "";
    for (const path of pages.keys()) {
      if (/^(?:decisions\/\d|reference\/api\/\w+\.html|404)/.test(path) && !path.endsWith("index.html")) continue;
      assert.ok(navigation.includes(`href="/docs/${path.replace(/(^|\/)index\.html$/, "$1")}"`), path);
    }
  });

  test("the reference has every endpoint of the OpenAPI document, with its errors and examples", () => {
    const { paths } = JSON.parse(readFileSync(join(root, "docs/reference/openapi.json"), "utf8"));
    const reference = [...pages].filter(([path]) => path.startsWith("reference/api/")).map(([, html]) => html);
    const text = reference.join("\n").replaceAll("<wbr>", "");
    let count = 0;
    for (const [path, methods] of Object.entries<Record<string, { operationId: string }>>(paths))
      for (const [method, { operationId }] of Object.entries(methods)) {
        count++;
        assert.ok(text.includes(`>${method.toUpperCase()}</span> <code>${path}</code>`), `${method} ${path}`);
        assert.ok(text.includes(`: <code>${operationId}</code></p>`), operationId);
      }
    assert.ok(count > 100);
    const knowledge = pages.get("reference/api/knowledge.html") ?? "";
    assert.match(knowledge, /<td>404<\/td><td><code>agent_<wbr>not_<wbr>found<\/code><\/td>/);
    assert.match(knowledge, /<span class="h-attr">"query"<\/span>/);
  });

  test("the index finds sections by words, by their beginnings, and with a spelling mistake", () => {
    const [file = ""] = globSync("assets/search-*.json", { cwd: out });
    const index = MiniSearch.loadJSON<Section>(readFileSync(join(out, file), "utf8"), searchOptions);
    const first = (query: string) => String(index.search(query, { combineWith: "AND" })[0]?.url);
    assert.equal(first("SHEAF_TRUSTED_PROXIES proxy header"), "/docs/proxy.html");
    assert.equal(first("second factor"), "/docs/access.html#second-factor-and-passkeys");
    assert.equal(first("recovery point in time"), "/docs/operations/recovery.html#recovery-to-a-point-in-time");
    assert.equal(first("create an agent"), "/docs/reference/api/agents.html#create-an-agent");
    assert.equal(first("provisionning scim"), "/docs/access.html#provisioning-with-scim");
  });
});

describe("the build reports", () => {
  const extraction = (folder: string) => join(folder, "docs/extraction.md");
  const broken: Record<string, [text: string, problem: RegExp]> = {
    "a link to a file that does not exist": ["[x](none.md)", /extraction\.md links to none\.md: there is no such file/],
    "a link to a heading that does not exist": ["[x](corpus.md#none)", /corpus\.md#none: docs\/corpus\.md has no such/],
    "a link to a heading of the page itself": ["[x](#none)", /extraction\.md links to #none/],
    "a link that runs a script": ["[x](javascript:alert)", /other sites need http, https or mailto/],
    "a picture that does not exist": ["![x](none.png)", /none\.png: there is no such picture/],
    "code in an unknown language": ["```cobol\nX\n```", /code in the unknown language cobol/],
    "HTML, which could break the policy": ["<script>alert()</script>", /HTML is not supported/],
    "a second title": ["# Second", /must have one title/],
  };
  for (const [what, [text, problem]] of Object.entries(broken))
    test(what, async () => {
      const problems = await problemsAfter((folder) => edit(extraction(folder), (page) => `${page}\n\n${text}\n`));
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.match(problems[0] as string, problem);
    });

  test("a page that is missing from the navigation", async () => {
    const problems = await problemsAfter((folder) => writeFileSync(join(folder, "docs/lost.md"), "# Lost\n"));
    assert.deepEqual(problems, ["docs/lost.md is not in the navigation of the documentation"]);
  });

  test("nothing if a link leads to a repository file that is not a page: the link becomes text", async () => {
    const text = "[the receiver](../examples/webhook-receiver.ts)";
    let built = "";
    const problems = await problemsAfter((folder) => {
      built = join(folder, "built/extraction.html");
      edit(extraction(folder), (page) => `${page}\n\n${text}\n`);
    });
    assert.deepEqual(problems, []);
    assert.match(readFileSync(built, "utf8"), /<span class="file">the receiver<\/span>/);
  });
});

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id as string);
