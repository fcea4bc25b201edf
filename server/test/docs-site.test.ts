/** Serving the built documentation beside the API and the web application. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { sample } from "./helpers/metrics.ts";
import { temporaryFolder } from "./helpers/process.ts";
import { html, isNotFound, type RawOptions, rawRequest } from "./helpers/raw-request.ts";
import { openTestService, type TestService } from "./helpers/service.ts";
import { makeWebBuild, page, type WebBuild } from "./helpers/web-build.ts";

const scripts = join(import.meta.dirname, "../../scripts");
const run = (script: string, ...parameters: string[]) =>
  promisify(execFile)(process.execPath, [join(scripts, script), ...parameters]);
const metricsToken = "a-token-of-the-metrics";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let application: WebBuild;
let service: TestService;
/** File names of the assets of the built site, such as `style-4f2a.css`. */
let assets: string[];
before(async () => {
  folder = await temporaryFolder();
  application = await makeWebBuild();
  const site = join(folder.path, "site");
  await run("build-docs.ts", site);
  await run("compress-web-files.ts", site);
  await writeFile(join(folder.path, "secret.txt"), "secret");
  await symlink(join(folder.path, "secret.txt"), join(site, "link.txt"));
  await writeFile(join(site, ".hidden"), "secret");
  assets = await readdir(join(site, "assets"));
  service = await openTestService("sqlite", {
    SHEAF_DOCS_DIR: site,
    SHEAF_WEB_DIR: application.folder,
    SHEAF_METRICS_TOKEN: metricsToken,
  });
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await application?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const raw = (path: string, headers: Record<string, string> = {}, options: RawOptions = {}) =>
  rawRequest(service.url, path, headers, options);
const assetLike = (pattern: RegExp) => `/docs/assets/${assets.find((name) => pattern.test(name))}`;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

test("pages and assets have the right content types, caching and security headers, without a session", async () => {
  const types: Record<string, string> = {
    "/docs/": "text/html; charset=utf-8",
    "/docs/index.html": "text/html; charset=utf-8",
    "/docs/extraction.html": "text/html; charset=utf-8",
    "/docs/tutorials/operator.html": "text/html; charset=utf-8",
    "/docs/reference/api/": "text/html; charset=utf-8",
    "/docs/decisions/": "text/html; charset=utf-8",
    [assetLike(/^style-.*css$/)]: "text/css; charset=utf-8",
    [assetLike(/^site-.*js$/)]: "text/javascript; charset=utf-8",
    [assetLike(/^search-.*json$/)]: "application/json; charset=utf-8",
    [assetLike(/^review-.*png$/)]: "image/png",
  };
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await raw(path);
    assert.deepEqual([status, headers["content-type"]], [200, type], path);
    const caching = path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    assert.equal(headers["cache-control"], caching, path);
    assert.equal(headers["content-security-policy"], policy, path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.equal(headers["referrer-policy"], "no-referrer", path);
    assert.match(headers.etag ?? "", /^"[\w-]{22}"$/, path);
    assert.equal(headers["set-cookie"], undefined, path);
  }
});

test("the path of a folder without a trailing slash is redirected, and no other path is", async () => {
  for (const path of ["/docs", "/docs/decisions", "/docs/reference/api", "/%64ocs"]) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, body } = await raw(path, {}, { method });
      const decoded = decodeURIComponent(path);
      assert.deepEqual([status, headers.location, body.length], [308, `${decoded}/`, 0], `${method} ${path}`);
      assert.equal(headers["cache-control"], "no-cache", path);
    }
  }
  assert.equal((await raw("/docs?x=//evil.example")).headers.location, "/docs/");
  for (const path of ["//evil.example/docs", "//docs", "/docs//decisions", "/docs/%2e%2e/docs"]) {
    const { status, headers } = await raw(path);
    assert.deepEqual([status, headers.location], [404, undefined], path);
  }
});

test("a request with the current ETag gets 304, and each content coding has its own ETag", async () => {
  for (const path of ["/docs/", "/docs/extraction.html", assetLike(/^search-.*json$/)]) {
    const plain = await raw(path);
    for (const [coding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const { headers, body } = await raw(path, { "accept-encoding": coding });
      assert.equal(headers["content-encoding"], coding, path);
      assert.ok(body.length < plain.body.length / 2, path);
      assert.ok(decode(body).equals(plain.body), path);
      const { etag = "" } = headers;
      assert.notEqual(etag, plain.headers.etag);
      const again = await raw(path, { "accept-encoding": coding, "if-none-match": etag });
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag], path);
      assert.equal((await raw(path, { "if-none-match": etag })).status, 200, "another coding");
    }
  }
});

test("an unknown path gets 404: browsers get a page of the documentation, programs get the envelope", async () => {
  for (const path of [
    "/docs/none",
    "/docs/none/deeper.html",
    "/docs/assets/none.js",
    "/DOCS/none",
    "/docs/v2/agents",
  ]) {
    const { status, headers, body } = await raw(path, html);
    assert.deepEqual([status, headers["content-type"]], [404, "text/html; charset=utf-8"], path);
    assert.match(body.toString(), /<h1>Page not found<\/h1>/, path);
    assert.equal(headers["cache-control"], "no-cache", path);
    assert.equal(headers["content-security-policy"], policy, path);
    // A cached copy of the page must not turn the status into 304.
    assert.equal((await raw(path, { ...html, "if-none-match": headers.etag ?? "" })).status, 404, path);
    isNotFound(await raw(path), path);
    isNotFound(await raw(path, { accept: "application/json" }), path);
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
    isNotFound(await raw("/docs/", html, { method }), `${method} /docs/`);
});

test("no path leads out of the site, however it is spelled", async () => {
  const spellings = [
    "/docs/../secret.txt",
    "/docs/../../etc/passwd",
    "/docs/..%2fsecret.txt",
    "/docs/%2e%2e/secret.txt",
    "/docs/%2e%2e%2fsecret.txt",
    "/docs/%252e%252e%252fsecret.txt",
    "/docs/..\\secret.txt",
    "/docs/..%5csecret.txt",
    "/docs\\..\\secret.txt",
    "/docs/assets/../../secret.txt",
    "/docs/..;/secret.txt",
    "/docs/%c0%ae%c0%ae/secret.txt",
    "/docs/secret.txt%00.html",
    "/docs/%00",
    "/docs/extraction.html%00",
    "/docs//../secret.txt",
    "/docs/./extraction.html",
    "/docs/.hidden",
    "/docs/link.txt",
    `/docs/${join(folder.path, "secret.txt")}`,
    "/docs/%",
    "/docs/%zz",
    // The compressed file of a page has no path of its own, so this path is unknown.
    "/docs/extraction.html.br",
  ];
  for (const path of spellings) {
    for (const accept of ["*/*", html.accept]) {
      const { status, body } = await raw(path, { accept });
      // Outside of /docs, every path may be a screen of the web application, so the response is the
      // page of the web application.
      const isScreen = status === 200 && body.toString() === page && !path.startsWith("/docs/");
      assert.ok(status === 404 || status === 400 || isScreen, `${path}: ${status}`);
      assert.ok(!body.toString().includes("secret"), path);
      assert.ok(!body.toString().includes("root:"), path);
    }
  }
});

test("the web application, the API and the documentation do not get in each other's way", async () => {
  assert.equal((await raw("/", html)).body.toString(), page);
  assert.equal((await raw("/documents", html)).body.toString(), page);
  assert.equal((await raw("/docsx", html)).body.toString(), page);
  assert.equal((await raw("/v2/agents", html)).status, 401);
  assert.match((await raw("/docs/", html)).body.toString(), /<title>Sheaf documentation<\/title>/);
});

test("in the metrics, all pages share a label", async () => {
  const { body } = await raw("/metrics", { authorization: `Bearer ${metricsToken}` });
  const count = (labels: Record<string, string>) =>
    Number(sample(body.toString(), "sheaf_http_request_duration_seconds_count", labels) ?? 0);
  assert.ok(count({ method: "GET", route: "/docs/*", status: "2xx" }) >= 5);
  assert.ok(count({ method: "GET", route: "/docs/*", status: "3xx" }) >= 1);
  assert.ok(count({ method: "GET", route: "/docs/*", status: "4xx" }) >= 1);
  assert.ok(count({ method: "GET", route: "/docs/assets/*", status: "2xx" }) >= 1);
  assert.ok(!body.toString().includes("extraction.html"));
});

test("without a build there is no documentation: 404 for browsers too, and the API works", async () => {
  await using bare = await openTestService("sqlite", { SHEAF_WEB_DIR: application.folder });
  for (const path of ["/docs", "/docs/", "/docs/extraction.html"])
    isNotFound(await rawRequest(bare.url, path, html), path);
  assert.equal((await rawRequest(bare.url, "/", html)).body.toString(), page);
  assert.equal((await rawRequest(bare.url, "/healthz")).status, 200);
});
