/**
 * The TypeScript client with a whole service: every part of the API, all kinds of uploads, and
 * webhooks that it receives.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  type FileSource,
  SheafClient,
  SheafError,
  verifySignature,
  verifyWebhook,
  type WebhookEvent,
} from "@sheaf/client";
import { endpoints } from "@sheaf/contract/endpoints.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { type Folder, temporaryFolder } from "../helpers/process.ts";
import { openTestService, type TestService } from "../helpers/service.ts";

const path = join(import.meta.dirname, "../../../examples/invoice.pdf");
const invoice = await readFile(path);
const params = [
  { name: "invoice_number", format: "text", description: "Number of the invoice" },
  { name: "gross_total", format: "number", description: "Total amount including tax" },
] as const;
const expected = [{ invoice_number: "NL-2026-0417", gross_total: 1021.8 }];

describe("the client", { timeout: 120_000 }, () => {
  let service: TestService;
  let folder: Folder;
  let credentials: { baseUrl: string; clientId: string; clientSecret: string };
  let client: SheafClient;
  before(async () => {
    service = await openTestService("sqlite", { SHEAF_OUTBOUND_ALLOW: "127.0.0.1", SHEAF_OUTBOUND_HTTP: "on" });
    folder = await temporaryFolder();
    const { clientId, clientSecret } = (await service.organization("Clients")).administrator;
    credentials = { baseUrl: `${service.url}/`, clientId, clientSecret };
    client = new SheafClient(credentials);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const rejects = (promise: Promise<unknown>, code: string, status: number) =>
    assert.rejects(promise, (error) => {
      assert.ok(error instanceof SheafError, String(error));
      assert.deepEqual([error.code, error.status], [code, status], error.message);
      return true;
    });
  const makeCorpus = async () => (await client.createAgent({ name: "Corpus", type: "DOCUMENTALIST" })).data.reference;
  /** Creates a sparse file of the given size. */
  const sparseFile = async (name: string, size: number) => {
    const file = join(folder.path, name);
    const handle = await open(file, "w");
    await handle.truncate(size);
    await handle.close();
    return file;
  };

  test("has a method for every endpoint of the contract", () => {
    // Two kinds of endpoints have no method: the one for signed events, which only Stripe calls,
    // and those that only MCP clients call.
    for (const [operationId, endpoint] of Object.entries(endpoints))
      assert.equal(operationId in client, !("rawBody" in endpoint) && endpoint.tag !== "MCP", operationId);
  });

  test("manages agents", async () => {
    const { data: agent } = await client.createAgent({
      name: "Invoices",
      type: "EXTRACTOR",
      configuration: { params: params.map((param) => ({ ...param, items: [] })) },
    });
    assert.deepEqual((await client.getAgent(agent.reference)).data, agent);
    const changed = await client.updateAgent(agent.reference, { description: "of suppliers" });
    assert.equal(changed.data.description, "of suppliers");
    assert.ok((await client.listAgents()).data.some(({ reference }) => reference === agent.reference));
    assert.deepEqual((await client.extractWithAgent(agent.reference, { file: { path } })).data, expected);
    assert.deepEqual((await client.deleteAgent(agent.reference)).data, { reference: agent.reference, warnings: [] });
    await rejects(client.getAgent(agent.reference), "agent_not_found", 404);
  });

  test("reports errors with code, status and detail", async () => {
    await assert.rejects(client.createAgent({ name: "", type: "EXTRACTOR" }), (error) => {
      assert.ok(error instanceof SheafError && error.is("invalid_request"));
      assert.equal(error.detail.issues[0]?.path, "/name");
      assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
      return true;
    });
    const stranger = new SheafClient({ ...credentials, clientSecret: "wrong" });
    await rejects(stranger.listAgents(), "invalid_client", 401);
    await rejects(client.askKnowledge("nobody", { query: "?" }), "agent_not_found", 404);
    await rejects(client.askDocumentalist("nobody", { query: "?" }), "agent_not_found", 404);
  });

  test("sends files from every source, and reports progress", async () => {
    const streamOfBytes = () => new Blob([invoice]).stream();
    const sources: Record<string, FileSource> = {
      path: { path },
      url: { path: pathToFileURL(path) },
      bytes: new Uint8Array(invoice),
      buffer: invoice,
      base64: invoice.toString("base64"),
      "array buffer": new Uint8Array(invoice).buffer,
      blob: new Blob([invoice]),
      file: new File([invoice], "named.pdf"),
      stream: streamOfBytes(),
      "stream of Node": createReadStream(path, { highWaterMark: 1000 }),
    };
    for (const [kind, file] of Object.entries(sources)) {
      const isNamed = kind === "path" || kind === "url" || kind === "file";
      const told: [number, number | undefined][] = [];
      const { data, metadata } = await client.extract(
        { file, params, ...(isNamed ? {} : { filename: "sent.pdf" }) },
        { onProgress: (sent, total) => told.push([sent, total]) },
      );
      assert.deepEqual(data, expected, kind);
      assert.equal(metadata.filename, isNamed ? (kind === "file" ? "named.pdf" : "invoice.pdf") : "sent.pdf");
      const total = kind.startsWith("stream") ? undefined : invoice.length;
      assert.deepEqual(told.at(-1), [invoice.length, total], kind);
    }
    await assert.rejects(client.extract({ file: new Blob([invoice]), params }), TypeError);
    await assert.rejects(client.extract({ file: "invoice.pdf", filename: "invoice.pdf", params }), /not base64/);
    await assert.rejects(client.extract({ file: { path: join(folder.path, "none.pdf") }, params }), { code: "ENOENT" });
    const failing = (async function* () {
      yield invoice;
      throw new Error("the disk is gone");
    })();
    await assert.rejects(client.extract({ file: failing, filename: "a.pdf", params }), { message: "the disk is gone" });
  });

  test("sends every member of a body as the service expects it", async () => {
    const filename = 'Rechnung "März" 100%.pdf';
    const { metadata } = await client.extract({ file: { path }, filename, params, include: ["evidence"] });
    assert.equal(metadata.filename, filename);
    const evidence = metadata.evidence?.[0]?.invoice_number;
    assert.ok(evidence && "quote" in evidence);
    assert.equal(evidence.quote, "NL-2026-0417");
    const plain = await client.extract({ file: { path }, params, include: [] });
    assert.equal(plain.metadata.evidence, undefined);
    const { classification_id } = await client.startClassification({
      file: { path },
      mode: "document",
      keep: true,
      classes: [{ label: "invoice", description: "Asks for a payment" }],
    });
    const { data } = await client.waitForClassification(classification_id);
    assert.deepEqual([data.mode, data.segments[0]?.label], ["document", "invoice"]);
    const kept = await client.getKeptClassification(classification_id);
    assert.equal(kept.data.filename, "invoice.pdf");
    const files = [{ file: { path } }, { file: invoice.toString("base64"), filename: "second.pdf" }];
    const inferred = await client.inferFields({ files, lang: "de" });
    assert.deepEqual(inferred.metadata.filenames, ["invoice.pdf", "second.pdf"]);
    await assert.rejects(client.extract({ file: new Uint8Array(0), filename: "none.pdf", params }), (error) => {
      assert.ok(error instanceof SheafError && error.is("invalid_request"));
      assert.deepEqual(error.detail.issues, [{ path: "/file", message: "must not be empty" }]);
      return true;
    });
  });

  test("sends 60 MB byte for byte, and refuses one byte more", async () => {
    const corpus = await makeCorpus();
    const largest = await sparseFile("largest.pdf", limits.maxDocumentFileBytes);
    const handle = await open(largest, "r+");
    for (let at = 0; at < limits.maxDocumentFileBytes; at += 999_983) await handle.write(String(at), at);
    await handle.close();
    await client.uploadDocument(corpus, { file: { path: largest } });
    const [document] = (await client.listDocuments(corpus)).data;
    assert.equal(document?.size, limits.maxDocumentFileBytes);
    const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    const stored = await Promise.all(
      (await readdir(service.config.filesDir, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name))),
    );
    const sent = sha256(await readFile(largest));
    assert.ok(stored.some((bytes) => sha256(bytes) === sent));
    await client.deleteAgent(corpus);

    const agent = await makeCorpus();
    const size = limits.maxDocumentFileBytes + 1;
    const upload = client.uploadDocument(agent, { file: { path: await sparseFile("too-large.pdf", size) } });
    await assert.rejects(upload, (error) => {
      assert.ok(error instanceof SheafError && error.is("file_too_large"), String(error));
      assert.deepEqual([error.status, error.detail], [413, { limit: size - 1, size }]);
      return true;
    });
  });

  test("after a broken connection, files are sent again, and the service executes the request once", async () => {
    let attempts = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (String(input).endsWith("/v2/token") || ++attempts % 2 === 0) return response;
      await response.body?.cancel();
      throw new TypeError("the response is lost");
    };
    const unlucky = new SheafClient({ ...credentials, fetch: losing });
    const corpus = await makeCorpus();
    for (const [index, file] of [{ path }, new Blob([invoice]), invoice.toString("base64")].entries())
      await unlucky.uploadDocument(corpus, { file, filename: "invoice.pdf", path: String(index) });
    assert.equal(attempts, 6);
    assert.equal((await client.listDocuments(corpus)).data.length, 3);
    await client.deleteAgent(corpus);
  });

  test("if the token has expired, a file is sent again with a new token, but a stream is not", async () => {
    let isFirst = true;
    const spoiling: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      if (isFirst && headers.has("x-api-key")) {
        isFirst = false;
        headers.set("x-api-key", "expired");
      }
      return fetch(input, { ...init, headers });
    };
    const expired = new SheafClient({ ...credentials, fetch: spoiling });
    const corpus = await makeCorpus();
    await expired.uploadDocument(corpus, { file: { path } });
    isFirst = true;
    const stream = createReadStream(path);
    await rejects(expired.uploadDocument(corpus, { file: stream, filename: "b.pdf" }), "unauthorized", 401);
    await expired.deleteAgent(corpus);
  });

  test("an aborted upload leaves nothing behind", async () => {
    const corpus = await makeCorpus();
    const file = await sparseFile("aborted.pdf", 30 * 1_048_576);
    const controller = new AbortController();
    const reason = new Error("changed my mind");
    const upload = client.uploadDocument(
      corpus,
      { file: { path: file } },
      { signal: controller.signal, onProgress: (sent) => sent > 1_000_000 && controller.abort(reason) },
    );
    await assert.rejects(upload, reason);
    assert.deepEqual((await client.listDocuments(corpus)).data, []);
  });

  test("returns lists in pages on request", async () => {
    for (let i = 0; i < 3; i++) await makeCorpus();
    const first = await client.listAgents({ limit: 2 });
    const cursor = first.metadata?.next_cursor ?? assert.fail("there is more");
    const second = await client.listAgents({ limit: 1_000, cursor });
    assert.deepEqual([...first.data, ...second.data], (await client.listAgents()).data);
  });

  test("fills a corpus and asks questions", async () => {
    const corpus = await makeCorpus();
    const { data: accepted } = await client.uploadDocument(corpus, { file: { path }, path: "2026" });
    const document = await client.waitForDocument(corpus, accepted.document_reference);
    assert.deepEqual([document.status, document.name, document.path], ["ready", "invoice.pdf", "2026"]);
    await assert.rejects(client.uploadDocument(corpus, { file: { path }, path: "2026" }), (error) => {
      assert.ok(error instanceof SheafError && error.is("document_already_exists"));
      assert.equal(error.detail.document_reference, document.reference);
      return true;
    });

    const query = "What is the due date of invoice NL-2026-0417?";
    const { data, metadata } = await client.askKnowledge(corpus, { query, include: ["citations"] });
    assert.equal(data.answer, "11 November 2026");
    assert.equal(data.citations?.[0]?.document_reference, document.reference);
    const stream = await client.askDocumentalist(corpus, { query, thread_id: metadata.thread_id });
    assert.equal(stream.threadId, metadata.thread_id);
    assert.match(await stream.text(), /11 November 2026/);

    const broken = await client.uploadDocument(corpus, { file: Buffer.from("no PDF"), filename: "broken.pdf" });
    await rejects(client.waitForDocument(corpus, broken.data.document_reference), "ingestion_failed", 0);
    await client.deleteDocument(corpus, document.reference);
    await rejects(client.waitForDocument(corpus, document.reference), "document_not_found", 404);
  });

  test("waits for results, and verifies deliveries", async () => {
    await using receiver = await receive();
    const secrets: string[] = [];
    for (const event of ["document.ingestion_completed", "extraction.completed", "classification.completed"] as const) {
      const { data } = await client.putWebhook(event, { url: `${receiver.url}/${event}` });
      assert.ok("secret" in data);
      secrets.push(data.secret);
    }
    assert.equal((await client.listWebhooks()).data.length, 3);
    const { data: again } = await client.putWebhook("extraction.completed", {
      url: `${receiver.url}/extraction.completed`,
    });
    assert.ok(!("secret" in again));

    const started = await client.startExtraction({ file: { path }, params, callback: `${receiver.url}/callback` });
    const { data, metadata } = await client.waitForExtraction(started.extract_id);
    assert.deepEqual(data, expected);
    const classification = await client.startClassification({ file: { path } });
    const { data: classified } = await client.waitForClassification(classification.classification_id);
    assert.deepEqual([classified.pages_count, classified.segments[0]?.start], [1, 1]);
    const corpus = await makeCorpus();
    const { data: uploaded } = await client.uploadDocument(corpus, { file: { path } });

    const ingestion = await receiver.event("/document.ingestion_completed", secrets[0]);
    assert.deepEqual(ingestion.data, {
      agent_reference: corpus,
      document_reference: uploaded.document_reference,
      status: "ready",
      name: "invoice.pdf",
      path: "",
    });
    const extraction = await receiver.event("/extraction.completed", secrets[1]);
    assert.deepEqual(extraction.data, { status: "success", extract_id: started.extract_id, data, metadata });
    const end = await receiver.event("/classification.completed", secrets[2]);
    assert.ok(end.event === "classification.completed" && end.data.status === "success");
    assert.deepEqual(end.data.data, classified);
    const { body, headers } = await receiver.delivery("/callback");
    await verifySignature(body, headers, secrets[1] ?? "");
    assert.deepEqual(JSON.parse(body.toString()), extraction.data);
    await assert.rejects(verifyWebhook(body, headers, secrets[0] ?? ""), { reason: "bad_signature" });
    assert.deepEqual((await client.deleteWebhook("extraction.completed")).data, { event: "extraction.completed" });
  });

  test("stops waiting after the timeout, and throws the error of failed work", async () => {
    const callback = "https://receiver.invalid/";
    const broken = { file: Buffer.from("no PDF"), filename: "broken.pdf" };
    const { extract_id } = await client.startExtraction({ ...broken, params, callback });
    await rejects(client.waitForExtraction(extract_id), "extraction_failed", 502);
    const { classification_id } = await client.startClassification(broken);
    await rejects(client.waitForClassification(classification_id), "classification_failed", 502);
    await rejects(client.waitForExtraction("nothing"), "not_found", 404);

    const { extract_id: running } = await client.startExtraction({ file: { path }, params, callback });
    const reason = new Error("changed my mind");
    await assert.rejects(client.waitForExtraction(running, { signal: AbortSignal.abort(reason) }), reason);
    await rejects(client.waitForExtraction(running, { timeoutMs: 0 }), "timed_out", 0);
    await client.waitForExtraction(running);
  });
});

interface Delivery {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Starts a server that records the requests it receives. */
async function receive() {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    deliveries.push({ path: request.url ?? "", headers: request.headers, body });
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const delivery = async (path: string): Promise<Delivery> => {
    for (;;) {
      const found = deliveries.find((each) => each.path === path);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const event = async (path: string, secret = ""): Promise<WebhookEvent> => {
    const { body, headers } = await delivery(path);
    return verifyWebhook(body, headers, secret);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delivery,
    event,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
