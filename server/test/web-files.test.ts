/** Serving the built web application beside the API. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { loadWebFiles } from "../src/http/web-files.ts";
import { sample } from "./helpers/metrics.ts";
import { temporaryFolder } from "./helpers/process.ts";
import { html, isNotFound, type RawOptions, type RawResponse, rawRequest } from "./helpers/raw-request.ts";
import { openTestService, type TestService } from "./helpers/service.ts";
import { makeWebBuild, page, script, type WebBuild } from "./helpers/web-build.ts";

const compressor = join(import.meta.dirname, "../../scripts/compress-web-files.ts");
const compress = (folder: string) => promisify(execFile)(process.execPath, [compressor, folder]);
const metricsToken = "a-token-of-the-metrics";

let build: WebBuild;
let service: TestService;
before(async () => {
  build = await makeWebBuild();
  await symlink(join(build.folder, "../secret.txt"), join(build.folder, "assets/link.txt"));
  await compress(build.folder);
  service = await openTestService("sqlite", { SHEAF_WEB_DIR: build.folder, SHEAF_METRICS_TOKEN: metricsToken });
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await build?.[Symbol.asyncDispose]();
});

const raw = (path: string, headers: Record<string, string> = {}, { at = service, ...how }: SentTo = {}) =>
  rawRequest(at.url, path, headers, how);
interface SentTo extends RawOptions {
  at?: TestService;
}

test("the page and its files have the right content types, caching and security headers", async () => {
  const index = await raw("/");
  assert.deepEqual([index.status, index.body.toString()], [200, page]);
  assert.equal((await raw("/index.html")).headers.etag, index.headers.etag);
  const types: Record<string, string> = {
    "/": "text/html; charset=utf-8",
    "/assets/index-4f2a.js": "text/javascript; charset=utf-8",
    "/assets/index-4f2a.js?v=1": "text/javascript; charset=utf-8",
    "/assets/index-77aa.css": "text/css; charset=utf-8",
    "/assets/two%20words.svg": "image/svg+xml; charset=utf-8",
    "/assets/font-1.woff2": "font/woff2",
    "/assets/unknown-1.bin": "application/octet-stream",
    "/favicon.ico": "image/x-icon",
    "/manifest.webmanifest": "application/manifest+json; charset=utf-8",
  };
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await raw(path);
    assert.deepEqual([status, headers["content-type"]], [200, type], path);
    const caching = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    assert.equal(headers["cache-control"], caching, path);
    assert.match(headers.etag ?? "", /^"[\w-]{22}"$/, path);
    assert.equal(headers.vary, "accept-encoding");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["cross-origin-opener-policy"], "same-origin");
    assert.equal(headers["cross-origin-resource-policy"], "same-origin");
    assert.match(headers["permissions-policy"] ?? "", /^camera=\(\), /);
    assert.match(headers["x-request-id"] ?? "", /^[0-9a-f-]{36}$/);
    assert.equal(
      headers["content-security-policy"],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  }
});

test("HEAD has the headers of GET and no body", async () => {
  for (const [path, encoding] of [
    ["/", "identity"],
    ["/assets/index-4f2a.js", "br"],
    ["/assets/font-1.woff2", "br"],
  ] as const) {
    const headers = { "accept-encoding": encoding };
    const [got, head] = [await raw(path, headers), await raw(path, headers, { method: "HEAD" })];
    assert.deepEqual([head.status, head.body.length], [200, 0], path);
    assert.equal(head.headers["content-length"], String(got.body.length));
    const without = ({ headers: { "x-request-id": _, date: __, ...others } }: RawResponse) => others;
    assert.deepEqual(without(head), without(got), path);
  }
  const screen = await raw("/corpora/1", html, { method: "HEAD" });
  assert.deepEqual([screen.status, screen.headers["content-length"]], [200, String(page.length)]);
  const missing = await raw("/assets/none.js", html, { method: "HEAD" });
  assert.deepEqual([missing.status, missing.body.length], [404, 0]);
});

test("text is compressed if the client accepts it, and each encoding has its own ETag", async () => {
  const path = "/assets/index-4f2a.js";
  const variants: Record<string, string | undefined> = {
    "gzip, deflate, br, zstd": "br",
    "*": "br",
    "gzip;q=1, br;q=0": "gzip",
    "br;q=0, *": "gzip",
    GZIP: "gzip",
    "br;q=0,gzip;q=0.0": undefined,
    "br;q=high": undefined,
    identity: undefined,
    "": undefined,
  };
  const etags = new Map<string | undefined, string | undefined>();
  for (const [accepted, coding] of Object.entries(variants)) {
    const { status, headers, body } = await raw(path, { "accept-encoding": accepted });
    assert.deepEqual([status, headers["content-encoding"]], [200, coding], accepted);
    const decoded = coding === "br" ? brotliDecompressSync(body) : coding === "gzip" ? gunzipSync(body) : body;
    assert.equal(decoded.toString(), script, accepted);
    assert.equal(headers["content-length"], String(body.length));
    assert.ok(coding === undefined || body.length < script.length / 10);
    etags.set(coding, headers.etag);
  }
  assert.equal(new Set(etags.values()).size, 3);
  const font = await raw("/assets/font-1.woff2", { "accept-encoding": "br" });
  assert.deepEqual([font.headers["content-encoding"], font.body.length], [undefined, 3]);
});

test("a request with the current ETag gets 304 without a body", async () => {
  for (const path of ["/", "/assets/index-4f2a.js", "/agents/7"]) {
    const { headers } = await raw(path, { ...html, "accept-encoding": "br" });
    const { etag = "", ...others } = headers;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await raw(path, { ...html, "accept-encoding": "br", "if-none-match": known });
      assert.deepEqual([again.status, again.body.length], [304, 0], `${path} ${known}`);
      for (const name of ["cache-control", "content-security-policy", "vary"])
        assert.equal(again.headers[name], others[name]);
      assert.equal(again.headers.etag, etag);
    }
    const changed = await raw(path, { ...html, "accept-encoding": "br", "if-none-match": '"other"' });
    assert.equal(changed.status, 200);
    const otherCoding = await raw(path, { ...html, "accept-encoding": "gzip", "if-none-match": etag });
    assert.equal(otherCoding.status, etag.endsWith('-br"') ? 200 : 304, path);
  }
});

test("a browser gets the page at every path of a screen; other programs, and paths of the API, get 404", async () => {
  for (const path of ["/welcome", "/agents/7?tab=runs", "/v22", "/x.php", "/%00", "/a%2fb", "/v2x/y"]) {
    const { status, headers, body } = await raw(path, html);
    assert.deepEqual([status, headers["cache-control"], body.toString()], [200, "no-cache", page], path);
  }
  for (const accept of ["*/*", "application/json", "text/*", "text/html;q=0", undefined])
    isNotFound(await raw("/welcome", accept === undefined ? {} : { accept }), String(accept));
  for (const path of ["/v2", "/v2/", "/v2/none", "/V2/none", "/%762/none", "/assets", "/assets/none.js", "/healthz/x"])
    isNotFound(await raw(path, html), path);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) isNotFound(await raw("/", html, { method }), method);
  assert.equal((await raw("/v2/agents", html)).status, 401);
  assert.equal((await raw("/healthz", html)).headers["content-type"], "application/json; charset=utf-8");
});

test("no file outside of the build is served, however its path is spelled", async () => {
  const spellings = [
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/%252e%252e%252fsecret.txt",
    "//secret.txt",
    "///../secret.txt",
    "/./../secret.txt",
    "/assets/%c0%ae%c0%ae/secret.txt",
    "/index.html/../../secret.txt",
    "/secret.txt%00.js",
    "/..;/secret.txt",
    `/${build.folder}/../secret.txt`,
    `/${join(build.folder, "../secret.txt")}`,
    "file:///etc/passwd",
    "http://x/../secret.txt",
    // Files in the build folder that are not part of the build, or are served only in compressed
    // form.
    "/.hidden",
    "/assets/link.txt",
    "/assets/index-4f2a.js.br",
    "/assets/index-4f2a.js.gz",
    "/assets/",
    "/assets",
    "/__proto__",
    "/constructor",
    "/ASSETS/index-4f2a.js",
  ];
  for (const path of spellings) {
    const program = await raw(path);
    assert.ok([400, 404].includes(program.status), `${path} ${program.status}`);
    const browser = await raw(path, html);
    const body = browser.body.toString();
    assert.ok(body === page || JSON.parse(body).status === "error", path);
  }
});

test("a request body is ignored and does not disturb the next request; after a large one the connection closes", async () => {
  const small = await raw("/", { "content-length": "5" }, { body: "hello" });
  assert.deepEqual([small.status, small.body.toString()], [200, page]);
  const large = await raw("/", { "content-length": "1000000" }, { body: "x".repeat(70_000) });
  assert.deepEqual([large.status, large.headers.connection], [200, "close"]);
  assert.equal(large.body.toString(), page);
});

test("a file request counts as a running request: beyond the limit it is refused like any other", async () => {
  await using small = await openTestService("sqlite", { SHEAF_WEB_DIR: build.folder, SHEAF_MAX_REQUESTS: "1" });
  assert.equal((await raw("/", html, { at: small })).status, 200);
  const socket = connect(Number(new URL(small.url).port), "127.0.0.1");
  const headers = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue";
  socket.write(`POST /v2/session HTTP/1.1\r\n${headers}\r\n\r\n`);
  // The service sends 100 Continue once it has admitted the request.
  await once(socket, "data");
  const refused = await raw("/", html, { at: small });
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "2"]);
  assert.equal(JSON.parse(refused.body.toString()).code, "agent_unavailable");
  socket.destroy();
});

test("in the metrics, all paths of the web application share two labels", async () => {
  for (let index = 0; index < 5; index++) await raw(`/canary/${index}`, html);
  const { body } = await raw("/metrics", { authorization: `Bearer ${metricsToken}` });
  const text = body.toString();
  assert.ok(!text.includes("canary"));
  const count = (labels: Record<string, string>) => sample(text, "sheaf_http_request_duration_seconds_count", labels);
  assert.ok(Number(count({ method: "GET", route: "/*", status: "2xx" })) >= 5);
  assert.ok(Number(count({ method: "GET", route: "/assets/*", status: "2xx" })) >= 5);
  assert.ok(Number(count({ method: "GET", route: "/*", status: "3xx" })) >= 1);
});

test("if the web application is not built, the API works and a browser gets 404", async () => {
  await using bare = await openTestService("sqlite");
  for (const path of ["/", "/index.html", "/welcome"]) isNotFound(await raw(path, html, { at: bare }), path);
  assert.equal((await raw("/healthz", {}, { at: bare })).status, 200);
});

test("a folder without index.html, a missing folder and a file do not count as a build", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "secret.txt"), "x");
  for (const path of [folder.path, join(folder.path, "none"), join(folder.path, "secret.txt")])
    assert.equal(loadWebFiles(path), undefined);
});

test("a compressed file that is older than the original is ignored", async () => {
  await using other = await makeWebBuild();
  await compress(other.folder);
  const codings = () => Object.keys(loadWebFiles(other.folder)?.get("/assets/index-4f2a.js")?.encoded ?? {});
  assert.deepEqual(codings(), ["br", "gzip"]);
  await utimes(join(other.folder, "assets/index-4f2a.js.br"), 1, 1);
  assert.deepEqual(codings(), ["gzip"]);
});

test("the compressor writes a compressed file only if it is smaller, and does nothing without a build", async () => {
  await using other = await makeWebBuild();
  await compress(other.folder);
  const { stdout } = await compress(other.folder);
  assert.match(stdout, /^5 text files in \S+: /);
  const names = (await readdir(other.folder, { recursive: true })).filter((name) => /\.(br|gz)$/.test(name)).sort();
  const large = ["assets/index-4f2a.js", "assets/index-77aa.css"].flatMap((name) => [`${name}.br`, `${name}.gz`]);
  assert.deepEqual(
    names.filter((name) => name.startsWith("assets/")),
    large,
  );
  assert.ok((await stat(join(other.folder, "index.html"))).size > 0);
  await rm(other.folder, { recursive: true });
  assert.match((await compress(other.folder)).stdout, /^Nothing to compress: \S+ is not built/);
  await assert.rejects(stat(other.folder), { code: "ENOENT" });
});
