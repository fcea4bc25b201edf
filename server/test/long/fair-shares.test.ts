/** One organization sends far more requests than its share, and others are still served. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { basename, join } from "node:path";
import { test } from "node:test";
import { openTestService, type TestClient, type TestService } from "../helpers/service.ts";

const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];
const bodyOf = async (path: string) => {
  const file = (await readFile(join(import.meta.dirname, path))).toString("base64");
  return JSON.stringify({ filename: basename(path), file, params });
};
const quickFile = "../../../examples/invoice.pdf";
/** A file that takes seconds, because it needs OCR. */
const slowFile = "../fixtures/poor-receipt.jpg";

/** Starts a request whose body never completes. */
async function beginBody(service: TestService, { token }: TestClient, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${token}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 1000000\r\n\r\n{"filename":"a.pdf","file":"AAAA',
  );
  return socket;
}

test("slow files of one organization do not keep others from extracting", { timeout: 120_000 }, async () => {
  await using service = await openTestService("sqlite", {
    SHEAF_EXTRACTION_QUEUE: "10",
    SHEAF_READING_PROCESSES: "2",
  });
  const { administrator: greedy } = await service.organization("Greedy House");
  const { administrator: modest } = await service.organization("Modest House");
  const [slow, quick] = [await bodyOf(slowFile), await bodyOf(quickFile)];
  const ending = new AbortController();
  const statuses: Record<number, number> = {};
  const attack = async () => {
    while (!ending.signal.aborted) {
      const headers = { "x-api-key": greedy.token, "content-type": "application/json" };
      const options = { method: "POST", headers, body: slow, signal: ending.signal };
      const answer = await fetch(`${service.url}/v2/extractor`, options).catch(() => undefined);
      await answer?.text().catch(() => {});
      if (answer) statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const attackers = Array.from({ length: 30 }, attack);
  while ((statuses[503] ?? 0) < 20) await new Promise((resolve) => setTimeout(resolve, 20));
  for (let i = 0; i < 5; i++) {
    const { status, body } = await modest.send("POST", "/v2/extractor", quick);
    assert.equal(status, 200, JSON.stringify(body));
  }
  ending.abort();
  await Promise.all(attackers);
});

test("slow uploads and requests of one organization do not keep others from uploading and asking", async () => {
  for (const [setting, path] of [
    ["SHEAF_MAX_UPLOADS", "/v2/extractor"],
    ["SHEAF_MAX_REQUESTS", "/v2/agents"],
  ] as const) {
    await using service = await openTestService("sqlite", { [setting]: "6" });
    const { administrator: greedy } = await service.organization("Greedy House");
    const { administrator: modest } = await service.organization("Modest House");
    const quick = await bodyOf(quickFile);
    const extract = async (by: TestClient) => (await by.send("POST", "/v2/extractor", quick)).status;
    const first = await beginBody(service, greedy, path);
    const others: Socket[] = [];
    // A body may be refused if it begins while an extraction of the same organization is running.
    // Therefore, further bodies are begun until an extraction is refused.
    while (others.length < 5 || (others.length < 50 && (await extract(greedy)) !== 503))
      others.push(await beginBody(service, greedy, path));
    assert.equal(await extract(greedy), 503, "the uploads of the greedy organization use all slots");
    assert.equal(await extract(modest), 200);
    const all = await Promise.all(Array.from({ length: 3 }, () => extract(modest)));
    assert.deepEqual(all, [200, 200, 200]);
    assert.ok(!first.destroyed && !first.readableEnded, "the oldest upload keeps its slot");
    for (const socket of [first, ...others]) socket.destroy();
  }
});
