/** The integrations in `examples/` with a real service: LangChain.js, Python, n8n. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { SheafClient } from "@sheaf/client";
import { type Folder, firstCredentialOf, type Running, start, temporaryFolder } from "../helpers/process.ts";

const run = promisify(execFile);
const examples = join(import.meta.dirname, "../../../examples");
const require = createRequire(import.meta.url);
const invoice = await readFile(join(examples, "invoice.pdf"));

// biome-ignore lint/suspicious/noExplicitAny: contexts of n8n are large, and nodes use little of them
type Any = any;

interface HttpOptions {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

describe("integrations", { timeout: 170_000 }, () => {
  let folder: Folder;
  let server: Running;
  let client: SheafClient;
  let environment: { BASE_URL: string; CLIENT_ID: string; CLIENT_SECRET: string };
  before(async () => {
    folder = await temporaryFolder();
    server = start(["serve"], {
      SHEAF_DATA_DIR: join(folder.path, "data"),
      SHEAF_PORT: "0",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
      SHEAF_OUTBOUND_HTTP: "on",
    });
    const [, BASE_URL = ""] = await server.printed(/Sheaf is ready at (http:\/\/\S+) /);
    const { id: CLIENT_ID, secret: CLIENT_SECRET } = await firstCredentialOf(server);
    environment = { BASE_URL, CLIENT_ID, CLIENT_SECRET };
    client = new SheafClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const output = async (program: string, args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(program, args, { env: { ...process.env, ...environment } });
    assert.equal(stderr, "");
    return stdout;
  };

  test("the LangChain.js retriever gives a chain quotes with their pages", async () => {
    assert.equal(
      await output(process.execPath, [join(examples, "langchain-retriever/main.ts")]),
      'Answer from these quotes only:\n"11 November 2026" (invoice.pdf, page 1)\n\n' +
        "Question: What is the due date of invoice NL-2026-0417?\n",
    );
  });

  test("the Python example extracts and asks, and reports errors with their code", async () => {
    const [data, quote, answer, citation] = (await output("python3", [join(examples, "python/sheaf.py")])).split("\n");
    assert.deepEqual(JSON.parse(data ?? ""), { invoice_number: "NL-2026-0417", gross_total: 1021.8 });
    assert.deepEqual(
      [quote, answer, citation],
      ["£1,021.80", "11 November 2026", '  "11 November 2026" (invoice.pdf, page 1)'],
    );
    const env = { ...process.env, ...environment, CLIENT_SECRET: "wrong" };
    await assert.rejects(run("python3", [join(examples, "python/sheaf.py")], { env }), (error: Any) => {
      assert.deepEqual([error.code, error.stdout], [1, ""]);
      assert.match(error.stderr, /^.* \(invalid_client\)\n$/);
      return true;
    });
  });

  describe("the n8n package", () => {
    let built: string;
    before(async () => {
      built = join(folder.path, "n8n/dist");
      await mkdir(built, { recursive: true });
      await copyFile(join(examples, "n8n/package.json"), join(folder.path, "n8n/package.json"));
      const tsc = join(createRequire(join(examples, "package.json")).resolve("typescript"), "../tsc.js");
      const project = join(examples, "n8n/tsconfig.json");
      const compiled = run(process.execPath, [tsc, "-p", project, "--outDir", built]);
      await compiled.catch(({ stdout }) => assert.fail(stdout));
    });

    const made = (file: string, name: string): Any => new (require(join(built, file))[name])();

    /** Sends a request as n8n does. */
    const httpRequest = async ({ method, url, headers, body }: HttpOptions): Promise<unknown> => {
      const isText = typeof body === "string";
      const response = await fetch(url, {
        method,
        headers: { ...(body !== undefined && !isText && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return response.json();
    };

    /** Returns the part of n8n's execution context that the nodes use. */
    const contextOf = (parameters: Record<string, unknown>, others: object = {}): Any => {
      const { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = environment;
      const credentials = { baseUrl, clientId, clientSecret };
      const httpRequestWithAuthentication = async (_: string, options: HttpOptions) => {
        const credential = made("SheafApi.credentials.js", "SheafApi");
        const { token } = await credential.preAuthentication.call({ helpers: { httpRequest } }, credentials);
        const templates = credential.authenticate.properties.headers as Record<string, string>;
        const entries = Object.entries(templates).map(([name, text]) => [
          name,
          text.replace("={{$credentials.token}}", token),
        ]);
        return httpRequest({ ...options, headers: { ...options.headers, ...Object.fromEntries(entries) } });
      };
      return {
        getCredentials: async () => credentials,
        getNodeParameter: (name: string) => parameters[name],
        getNode: () => ({ id: "node-1" }),
        getExecutionId: () => "execution-1",
        getInputData: () => [{ json: {} }],
        continueOnFail: () => false,
        ...others,
        helpers: {
          httpRequest,
          httpRequestWithAuthentication,
          assertBinaryData: () => ({ fileName: "invoice.pdf" }),
          getBinaryDataBuffer: async () => invoice,
        },
      };
    };

    const params = [
      { name: "invoice_number", format: "text", description: "Number of the invoice", items: [] },
    ] as const;
    const makeExtractor = async () =>
      (await client.createAgent({ name: "n8n", type: "EXTRACTOR", configuration: { params } })).data.reference;

    test("names the files that its build creates", async () => {
      const { n8n } = JSON.parse(await readFile(join(examples, "n8n/package.json"), "utf8"));
      const names = [...n8n.credentials, ...n8n.nodes].map((path: string) => path.replace("dist/", ""));
      assert.deepEqual((await readdir(built)).sort(), names.sort());
    });

    test("extracts from binary data, and a repeated execution does not do the work twice", async () => {
      const node = made("Sheaf.node.js", "Sheaf");
      const agent = await makeExtractor();
      const context = contextOf({ operation: "extract", agent, binaryProperty: "data" });
      const [[first]] = await node.execute.call(context);
      assert.equal(first.json.invoice_number, "NL-2026-0417");
      assert.equal(first.json.metadata.evidence[0].invoice_number.page, 1);
      const [[again]] = await node.execute.call(context);
      assert.equal(again.json.metadata.thread_id, first.json.metadata.thread_id);
      const unknown = { operation: "extract", agent: "nobody", binaryProperty: "data" };
      await assert.rejects(node.execute.call(contextOf(unknown)), /404 .*agent_not_found/);
      const [[failed]] = await node.execute.call(contextOf(unknown, { continueOnFail: () => true }));
      assert.match(failed.json.error, /agent_not_found/);
    });

    test("asks a corpus", async () => {
      const { data: corpus } = await client.createAgent({ name: "n8n", type: "DOCUMENTALIST" });
      const { data: document } = await client.uploadDocument(corpus.reference, { file: invoice, filename: "a.pdf" });
      await client.waitForDocument(corpus.reference, document.document_reference);
      const query = "What is the due date of invoice NL-2026-0417?";
      const context = contextOf({ operation: "ask", agent: corpus.reference, query });
      const [[{ json }]] = await made("Sheaf.node.js", "Sheaf").execute.call(context);
      assert.deepEqual([json.answer, json.citations[0].page], ["11 November 2026", 1]);
    });

    test("is triggered once by each signed event", async () => {
      const node = made("SheafTrigger.node.js", "SheafTrigger");
      const state: { secret?: string } = {};
      const received: { event: Any; status: number }[] = [];
      const deliver = async (rawBody: Buffer, headers: IncomingMessage["headers"]): Promise<Any> => {
        let status = 200;
        const response = { status: (code: number) => ({ end: () => (status = code) }) };
        const { workflowData } = await node.webhook.call({
          getRequestObject: () => ({ rawBody }),
          getResponseObject: () => response,
          getHeaderData: () => headers,
          getWorkflowStaticData: () => state,
        });
        received.push({ event: workflowData?.[0][0].json, status });
        return status;
      };
      const requests: { body: Buffer; headers: IncomingMessage["headers"] }[] = [];
      await using receiver = await listen(async (request, response) => {
        const body = Buffer.concat(await request.toArray());
        requests.push({ body, headers: request.headers });
        response.writeHead(await deliver(body, request.headers)).end();
      });
      const hooks = contextOf(
        { event: "extraction.completed" },
        { getNodeWebhookUrl: () => receiver.url, getWorkflowStaticData: () => state },
      );
      const { checkExists, create, delete: remove } = node.webhookMethods.default;
      assert.equal(await checkExists.call(hooks), false);
      assert.equal(await create.call(hooks), true);
      assert.equal(await checkExists.call(hooks), true);
      const other = { ...hooks, getNodeWebhookUrl: () => "http://127.0.0.1:9/other" };
      await assert.rejects(create.call(other), /has a webhook for this event already/);

      const agent = await makeExtractor();
      const { extract_id } = await client.startExtractionWithAgent(agent, { file: invoice, filename: "a.pdf" });
      while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const [{ event, status } = assert.fail()] = received;
      assert.deepEqual([status, event.event, event.data.extract_id], [200, "extraction.completed", extract_id]);

      const [{ body, headers } = assert.fail()] = requests;
      await deliver(body, headers);
      await deliver(Buffer.from(body.toString().replace("success", "failure")), headers);
      await deliver(body, { ...headers, "x-service-signature": "sha256=00" });
      assert.deepEqual(
        received.slice(1).map((each) => [each.event, each.status]),
        [
          [undefined, 200],
          [undefined, 401],
          [undefined, 401],
        ],
      );
      // The secret of an existing webhook is never shown again, so the webhook is created anew.
      delete state.secret;
      assert.equal(await checkExists.call(hooks), false);
      await create.call(hooks);
      assert.match(state.secret ?? "", /^whsec_/);
      await remove.call(hooks);
      assert.deepEqual((await client.listWebhooks()).data, []);
    });
  });
});

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
