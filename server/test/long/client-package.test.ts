/**
 * The TypeScript client as a published package: packed by npm, installed into empty projects,
 * type-checked, and used with a real service by each Node.js version of this machine.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import { openTestService } from "../helpers/service.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const tsc = join(root, "node_modules/typescript/bin/tsc");

const dom = ["--lib", "es2022,dom", "--types", ""];
/**
 * Options of the TypeScript compiler, by kind of project. The project `node16` does not include the
 * types of browsers.
 */
const projects = {
  node16: ["--module", "node16", "--moduleResolution", "node16", "--lib", "es2022", "--types", "node"],
  nodenext: ["--module", "nodenext", "--moduleResolution", "nodenext", ...dom],
  bundler: ["--module", "esnext", "--moduleResolution", "bundler", ...dom],
};

const typed = `
import { SheafClient, SheafError, verifyWebhook, type WebhookEvent } from "@sheaf/client";

const sheaf = new SheafClient({ baseUrl: "http://127.0.0.1:1", clientId: "i", clientSecret: "s", retries: 0 });

export async function total(): Promise<number | null | undefined> {
  const { data, metadata } = await sheaf.extract({
    file: { path: "package.json" },
    params: [
      { name: "total", format: "number", description: "Total" },
      { name: "lines", format: "list", description: "Lines", items: [{ name: "paid", format: "boolean", description: "Paid" }] },
    ],
  });
  const thread: string = metadata.thread_id;
  const paid: boolean | null | undefined = data[0]?.lines[0]?.paid;
  // @ts-expect-error there is no such param
  void [thread, paid, data[0]?.sum];
  return data[0]?.total;
}

export function told(event: WebhookEvent): string {
  if (event.event === "document.ingestion_completed") return event.data.document_reference;
  return event.data.status === "error" ? event.data.code : event.data.metadata.filename;
}

export const isCode = (error: unknown): boolean => error instanceof SheafError && error.is("invalid_request");
export const verified: Promise<WebhookEvent> = verifyWebhook("{}", {}, "whsec_x");
`;

/**
 * Program that runs in a project. It gets the URL of the service and the path of the file from
 * environment variables.
 */
const used = `
  const { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, FILE: path } = process.env;
  const sheaf = new SheafClient({ baseUrl, clientId, clientSecret });
  const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];
  const numbers = [];
  const bytes = readFileSync(path);
  for (const file of [{ path }, new File([bytes], "invoice.pdf"), new Blob([bytes]).stream(), bytes.toString("base64")]) {
    const { data } = await sheaf.extract({ file, params, ...(file.path || file.name ? {} : { filename: "invoice.pdf" }) });
    numbers.push(data[0].invoice_number);
  }
  const code = await sheaf.getAgent("nobody").catch((error) => (error instanceof SheafError ? error.code : error));
  const reason = await verifyWebhook("{}", {}, "whsec_x").catch((error) => error.reason);
  console.log(JSON.stringify([...numbers, code, reason]));
`;
const names = "{ SheafClient, SheafError, verifyWebhook }";
const programs = {
  "use.mjs": `import { readFileSync } from "node:fs"; import ${names} from "@sheaf/client"; ${used}`,
  // From Node 20.19 on, `require` can load ES modules.
  "use.cjs": `const { readFileSync } = require("node:fs"); const ${names} = require("@sheaf/client"); (async () => { ${used} })();`,
};

/**
 * Program that simulates a browser by removing `process`. The package then does not send files as
 * streams.
 */
const elsewhere = `
import { createServer } from "node:http";
const bodies = [];
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (request.url !== "/v2/token") {
    const { file, ...fields } = Object.fromEntries(await new Response(body, { headers: request.headers }).formData());
    const isWhole = request.headers["content-length"] === String(body.length);
    bodies.push([isWhole, { ...fields, filename: file.name }, Buffer.from(await file.arrayBuffer())]);
  }
  response.end(JSON.stringify({ access_token: "t", expires_in: "3600", status: "success", data: {} }));
}).listen(0, "127.0.0.1", async () => {
  const { stdout } = process;
  const told = [];
  Reflect.deleteProperty(globalThis, "process");
  const { SheafClient } = await import("@sheaf/client");
  const sheaf = new SheafClient({ baseUrl: "http://127.0.0.1:" + server.address().port, clientId: "i", clientSecret: "s" });
  const file = new File([new Uint8Array(1_000_000).fill(7)], "seven.pdf");
  await sheaf.uploadDocument("a", { file, path: "x" }, { onProgress: (...progress) => told.push(progress) });
  const [[isWhole, fields, bytes]] = bodies;
  const isSame = bytes.length === file.size && bytes.every((byte) => byte === 7);
  stdout.write(JSON.stringify([isWhole, fields, isSame, told]));
  server.close();
  server.closeAllConnections();
});
`;

/** Returns declarations of the names that a code block of the README uses but does not declare. */
const prelude = (block: string) =>
  block.includes("new SheafClient")
    ? ""
    : `import { type SheafClient, SheafError, type ExtractionParam, type FileSource } from "@sheaf/client";
       declare const sheaf: SheafClient, agent: string, file: FileSource, params: ExtractionParam[], signal: AbortSignal;
       declare const process: { env: Record<string, string | undefined> };
       export { SheafError };
      `;

describe("the package of the client", { timeout: 170_000 }, () => {
  let folder: string;
  let installed: string;
  const projectOf = (name: string) => join(folder, name);
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "sheaf-package-")));
    const tarball = await pack();
    for (const name of Object.keys(projects)) {
      await mkdir(projectOf(name));
      await writeFile(join(projectOf(name), "package.json"), '{"name":"consumer","type":"module","private":true}');
      await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: projectOf(name) });
    }
    installed = join(projectOf("nodenext"), "node_modules/@sheaf/client");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Packs a copy of the folder, because packing changes package.json for a short time. */
  async function pack(): Promise<string> {
    const copy = join(folder, "repository");
    for (const name of ["client", "tsconfig.json", "LICENSE"])
      await cp(join(root, name), join(copy, name), { recursive: true });
    await symlink(join(root, "node_modules"), join(copy, "node_modules"));
    const { stdout } = await run("npm", ["pack", "--json"], { cwd: join(copy, "client") });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
    const after = await readFile(join(copy, "client/package.json"), "utf8");
    assert.equal(after, await readFile(join(root, "client/package.json"), "utf8"));
    return join(copy, "client", filename);
  }

  test("contains JavaScript and declarations, and depends on nothing", async () => {
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    assert.deepEqual([manifest.private, manifest.dependencies, manifest.type], [undefined, undefined, "module"]);
    const { exports } = manifest;
    assert.deepEqual(exports["."], { types: "./dist/index.d.ts", default: "./dist/index.js" });
    const files = await readdir(installed, { recursive: true });
    for (const file of ["README.md", "LICENSE", manifest.main, manifest.types])
      assert.ok(files.includes(file.replace("./", "")), file);
    assert.deepEqual(
      files.filter((file) => !/^(dist(\/.*\.(js|d\.ts)|(\/\w+)?)|README.md|LICENSE|package.json)$/.test(file)),
      [],
    );
  });

  for (const [name, options] of Object.entries(projects))
    test(`type-checks with moduleResolution ${name}, as does each example of its README`, async () => {
      const blocks = (await readFile(join(root, "client/README.md"), "utf8")).matchAll(/^```ts\n(.*?)^```$/gms);
      const sources = [typed, ...[...blocks].map(([, block = ""]) => prelude(block) + block)];
      assert.ok(sources.length >= 6);
      const files = sources.map((text, index) => ({ path: join(projectOf(name), `source-${index}.ts`), text }));
      for (const { path, text } of files) await writeFile(path, text);
      const typeRoots = ["--typeRoots", join(root, "node_modules/@types")];
      const shared = ["--strict", "--noEmit", "--target", "es2022", ...typeRoots];
      const checked = run(process.execPath, [tsc, ...shared, ...options, ...files.map(({ path }) => path)], {
        cwd: projectOf(name),
      });
      await checked.catch(({ stdout }) => assert.fail(stdout));
    });

  test("works with a running service, loaded by import and by require, in each Node.js version on this machine", async (t) => {
    const versions = await installedNodes();
    t.diagnostic([...versions.keys()].join(", "));
    await using service = await openTestService("sqlite");
    const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = (await service.organization("Clients")).administrator;
    const FILE = join(root, "examples/invoice.pdf");
    const env = { BASE_URL: service.url, CLIENT_ID, CLIENT_SECRET, FILE };
    for (const [name, text] of Object.entries(programs)) {
      const program = join(projectOf("nodenext"), name);
      await writeFile(program, text);
      for (const [version, node] of versions) {
        const { stdout, stderr } = await run(node, [program], { env });
        const expected = [...Array(4).fill("NL-2026-0417"), "agent_not_found", "missing_signature"];
        assert.deepEqual([JSON.parse(stdout), stderr], [expected, ""], `${name} with ${version}`);
      }
    }
  });

  test("can be bundled for browsers, and works in runtimes other than Node.js", async () => {
    const project = projectOf("bundler");
    const entry = join(project, "bundled.mjs");
    await writeFile(entry, 'export * from "@sheaf/client";');
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: "browser",
      write: false,
      metafile: true,
    });
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    assert.deepEqual(
      imports.filter(({ external }) => external),
      [],
    );
    await writeFile(join(project, "elsewhere.mjs"), elsewhere);
    const { stdout } = await run(process.execPath, [join(project, "elsewhere.mjs")]);
    const fields = { filename: "seven.pdf", path: "x" };
    assert.deepEqual(JSON.parse(stdout), [true, fields, true, [[1_000_000, 1_000_000]]]);
  });
});

/**
 * Returns the Node.js programs to test with, by version: the current one, and supported versions
 * found in PATH.
 */
async function installedNodes(): Promise<Map<string, string>> {
  const candidates = [process.execPath, ...(process.env.PATH ?? "").split(delimiter).map((path) => join(path, "node"))];
  const nodes = new Map<string, string>();
  for (const node of candidates) {
    const version = await run(node, ["--version"]).then(
      ({ stdout }) => stdout.trim(),
      () => "v0",
    );
    if (Number.parseInt(version.slice(1), 10) >= 20 && !nodes.has(version)) nodes.set(version, node);
  }
  return nodes;
}
