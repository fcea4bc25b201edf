/**
 * Tests the package as published: built, packed, installed in a folder of its own, and used by Node
 * and by a type checker.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = import.meta.dirname;
const tsc = resolve(here, "../node_modules/typescript/bin/tsc");

const program = `
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

const code = await total().catch((error: unknown) => (error instanceof SheafError ? error.code : String(error)));
const reason = await verifyWebhook("{}", {}, "whsec_x").catch((error: { reason: string }) => error.reason);
console.log(code, reason);
`;

/**
 * Simulates a platform that is not Node by removing `process`, so that the package sends no stream.
 */
const elsewhere = `
import { createServer } from "node:http";
const bodies = [];
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  if (request.url !== "/v2/token") bodies.push([request.headers["content-length"] === String(body.length), JSON.parse(body)]);
  response.end(JSON.stringify({ access_token: "t", expires_in: "3600", status: "success", data: {} }));
}).listen(0, "127.0.0.1", async () => {
  const { stdout } = process;
  const told = [];
  Reflect.deleteProperty(globalThis, "process");
  const { SheafClient } = await import("@sheaf/client");
  const sheaf = new SheafClient({ baseUrl: "http://127.0.0.1:" + server.address().port, clientId: "i", clientSecret: "s" });
  const file = new File([new Uint8Array(1_000_000).fill(7)], "seven.pdf");
  await sheaf.uploadDocument("a", { file, path: "x" }, { onProgress: (...progress) => told.push(progress) });
  const [[isWhole, sent]] = bodies;
  const bytes = Buffer.from(sent.file, "base64");
  const isSame = bytes.length === file.size && bytes.every((byte) => byte === 7);
  stdout.write(JSON.stringify([isWhole, sent.filename, sent.path, isSame, told]));
  server.close();
  server.closeAllConnections();
});
`;

/**
 * Returns declarations that a README block omits, because another block shows them or the reader
 * has them.
 */
const prelude = (block: string) =>
  block.includes("new SheafClient")
    ? ""
    : `import { type SheafClient, SheafError, type ExtractionParam, type FileSource } from "@sheaf/client";
       declare const sheaf: SheafClient, agent: string, file: FileSource, params: ExtractionParam[], signal: AbortSignal;
       declare const process: { env: Record<string, string | undefined> };
       export { SheafError };
      `;

test("the package can be installed, run and type-checked as its README shows", { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-package-"));
  try {
    const dist = join(folder, "dist");
    await run(process.execPath, [join(here, "build.ts"), dist]);
    const { stdout } = await run("npm", ["pack", dist, "--pack-destination", folder, "--json"], { cwd: folder });
    const [{ filename }] = JSON.parse(stdout);
    await writeFile(join(folder, "package.json"), '{"name":"consumer","type":"module","private":true}');
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder });
    const installed = join(folder, "node_modules/@sheaf/client");
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    assert.deepEqual([manifest.private, manifest.dependencies, manifest.type], [undefined, undefined, "module"]);
    const files = await readdir(installed, { recursive: true });
    assert.ok(files.includes("README.md") && files.includes("LICENSE") && files.includes("index.d.ts"));
    assert.ok(!files.some((file) => file.endsWith(".ts") && !file.endsWith(".d.ts")), "no TypeScript is published");

    await writeFile(join(folder, "use.ts"), program);
    const blocks = (await readFile(join(here, "README.md"), "utf8")).matchAll(/^```ts\n(.*?)^```$/gms);
    const shown = [...blocks].map(([, block = ""], index) => ({
      name: `shown-${index}.ts`,
      text: prelude(block) + block,
    }));
    assert.ok(shown.length >= 5);
    for (const { name, text } of shown) await writeFile(join(folder, name), text);
    const check = (...options: string[]) =>
      run(
        process.execPath,
        [
          tsc,
          "--strict",
          "--noEmit",
          "--target",
          "es2022",
          "--typeRoots",
          "none",
          ...options,
          "use.ts",
          ...shown.map(({ name }) => name),
        ],
        {
          cwd: folder,
        },
      );
    await check("--module", "nodenext", "--lib", "es2022,dom");
    await check("--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom");
    const used = await run(process.execPath, [join(folder, "use.ts")]);
    assert.equal(used.stdout, "connection_failed missing_signature\n");
    await writeFile(join(folder, "elsewhere.mjs"), elsewhere);
    const { stdout: sent } = await run(process.execPath, [join(folder, "elsewhere.mjs")]);
    assert.deepEqual(JSON.parse(sent), [true, "seven.pdf", "x", true, [[1_000_000, 1_000_000]]]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
