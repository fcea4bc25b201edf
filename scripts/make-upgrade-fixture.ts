/**
 * Creates a data folder that tests of later versions upgrade:
 * `node scripts/make-upgrade-fixture.ts <main.ts of the version> <new folder>`. Uses only the
 * command line and the HTTP API, so it works with any version. Prints the content of
 * `expected.json`.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [main = "", target = ""] = process.argv.slice(2);
const data = join(await mkdtemp(join(tmpdir(), "sheaf-fixture-")), "data");
const environment = { PATH: process.env.PATH, SHEAF_DATA_DIR: data, SHEAF_PORT: "0", SHEAF_LOG_LEVEL: "error" };

/** Creates a PDF of one page with these lines of text. */
function pdf(...lines: string[]): string {
  const content = lines.map((line, i) => `BT /F 12 Tf 40 ${340 - 20 * i} Td (${line}) Tj ET`).join("\n");
  const font = "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>";
  return Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R${font}>> endobj
4 0 obj <</Length ${content.length}>> stream
${content}
endstream endobj
trailer <</Root 1 0 R>>
%%EOF
`).toString("base64");
}

const command = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { env: environment });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout.toString();
};

async function serve() {
  const child = spawn(process.execPath, [main, "serve"], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  let printed = "";
  return await new Promise<{ url: string; child: typeof child; printed: string }>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const url = /ready at (http:\/\/\S+) /.exec(printed)?.[1];
      if (url !== undefined && /client secret|API credential is in/.test(printed)) resolve({ url, child, printed });
    });
    child.once("exit", () => reject(new Error("the service did not start")));
  });
}

const first = await serve();
// If there is no terminal, later versions write the credential to a file.
const [, file] = /API credential is in (\S+),/.exec(first.printed) ?? [];
const told = file === undefined ? first.printed : readFileSync(file, "utf8");
const [, clientId] = /client id {6}(\S+)/.exec(told) ?? [];
const [, clientSecret] = /client secret {2}(\S+)/.exec(told) ?? [];
const token = await fetch(`${first.url}/v2/token?client_id=${clientId}&client_secret=${clientSecret}`);
const { access_token } = (await token.json()) as { access_token: string };

// biome-ignore lint/suspicious/noExplicitAny: the shape of the response depends on the version
async function send(method: string, path: string, body?: object): Promise<any> {
  const headers = { "x-api-key": access_token, "content-type": "application/json" };
  const answer = await fetch(first.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  const { data, metadata } = (await answer.json()) as { data: object; metadata?: object };
  return { ...metadata, ...data };
}

const param = { name: "total", format: "number", description: "Total amount", items: [] };
const extractor = await send("POST", "/v2/agents", {
  name: "Invoices",
  type: "EXTRACTOR",
  configuration: { params: [param] },
});
const corpus = await send("POST", "/v2/agents", { name: "Papers", type: "DOCUMENTALIST" });
const documents = `/v2/agents/${corpus.reference}/documents`;
const paper = pdf("The lighthouse of Westerhever was built in 1906.", "It has eleven floors.");
const ready = await send("POST", documents, { filename: "lighthouse.pdf", file: paper });
const broken = await send("POST", documents, { filename: "broken.pdf", file: Buffer.from("%PDF-").toString("base64") });
while (Object.values(await send("GET", documents)).some((each) => (each as { status: string }).status === "pending"))
  await new Promise((resolve) => setTimeout(resolve, 50));
const answer = await send("POST", `/v2/knowledge/${corpus.reference}`, { query: "When was the lighthouse built?" });
const invoice = { filename: "invoice.pdf", file: pdf("Invoice 4711", "Total amount: 12.50 EUR") };
await send("POST", "/v2/extractor", { ...invoice, params: [param] });
const callback = "https://hooks.example.invalid/callback";
await send("POST", "/v2/extractor/async", { ...invoice, params: [param], callback });
await new Promise((resolve) => setTimeout(resolve, 2_000));
const webhook = await send("PUT", "/v2/organization/webhooks/document.ingestion_completed", {
  url: "https://hooks.example.invalid/sheaf",
});
const pending = await send("POST", documents, { filename: "pending.pdf", file: pdf("Its light reaches 21 miles.") });
first.child.kill("SIGKILL");
await new Promise((resolve) => first.child.once("exit", resolve));
const limited = command("organization", "create", "Limited Works", "--email", "limited@example.com").split(" ")[0];
command("organization", "limits", "limited-works", "--agents", "3", "--upload-mb", "5");
await cp(data, target, { recursive: true, filter: (path) => !/\/(tmp|sheaf\.lock)$/.test(path) });
await rm(join(data, ".."), { recursive: true });
const references = {
  clientId,
  clientSecret,
  extractor: extractor.reference,
  corpus: corpus.reference,
  ready: ready.document_reference,
  broken: broken.document_reference,
  pending: pending.document_reference,
  thread: answer.thread_id,
  webhookSecret: webhook.secret,
  limited,
};
console.log(JSON.stringify(references, null, 2));
process.exit(0);
