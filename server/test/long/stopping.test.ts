/**
 * A service behind a load balancer is stopped: it is first not ready, then requests in progress
 * finish while the port is closed, and then it exits.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { samplePath } from "../helpers/corpus.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { placeOver, urlOf } from "../helpers/killed-service.ts";
import { firstCredentialOf, start } from "../helpers/process.ts";

const delayMs = 2_000;

describeOverDatabases("stopping", (dialect) => {
  test("readiness ends first, then the port closes, and an upload in progress still gets its response", async () => {
    await using place = await placeOver(dialect, { SHEAF_STOP_DELAY_SECONDS: String(delayMs / 1000) });
    await using server = start(["serve"], place.settings);
    const url = await urlOf(server);
    const { id, secret } = await firstCredentialOf(server);
    const granted = await fetch(`${url}/v2/token?client_id=${id}&client_secret=${secret}`);
    const { access_token: token } = (await granted.json()) as { access_token: string };
    /** Opens a new connection for every probe, as a load balancer does. */
    const probe = async (path: string) => {
      const response = await fetch(url + path, { headers: { connection: "close", "x-api-key": token } });
      return { status: response.status, body: (await response.json()) as { error?: string } };
    };
    while ((await probe("/readyz")).status !== 200) await sleep(20);

    const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];
    const file = (await readFile(samplePath)).toString("base64");
    const body = JSON.stringify({ filename: "a.pdf", params, file });
    // Starts the reading process and the engine now, so that the upload below is read in time.
    const headers = { "content-type": "application/json", "x-api-key": token };
    assert.equal((await fetch(`${url}/v2/extractor`, { method: "POST", body, headers })).status, 200);
    const upload = connect(Number(new URL(url).port), "127.0.0.1");
    let response = "";
    upload.setEncoding("utf8").on("data", (text: string) => {
      response += text;
    });
    upload.write(
      `POST /v2/extractor HTTP/1.1\r\nHost: x\r\nx-api-key: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 1000)}`,
    );
    await sleep(200);

    server.child.kill("SIGTERM");
    const stoppedAt = performance.now();
    let ready = await probe("/readyz");
    while (ready.status === 200) ready = await probe("/readyz");
    assert.ok(performance.now() - stoppedAt < delayMs / 2, "readiness ends at once");
    assert.deepEqual(ready, {
      status: 503,
      body: { status: "error", code: "agent_unavailable", error: "The service is stopping." },
    });
    assert.equal((await probe("/v2/agents")).status, 200, "requests are still served");
    assert.equal((await probe("/healthz")).status, 200);
    for (;;) {
      const look = await probe("/readyz").catch(() => undefined);
      if (look === undefined) break;
      assert.equal(look.status, 503);
      await sleep(20);
    }
    assert.ok(performance.now() - stoppedAt >= delayMs, "the port is open until the delay has passed");
    assert.equal(server.child.exitCode, null);
    upload.write(body.slice(1000));
    await once(upload, "close");
    assert.match(response, /^HTTP\/1\.1 200 /);
    assert.match(response, /"invoice_number":"NL-2026-0417"/);
    const { code, signal } = await server.finished;
    assert.deepEqual([code, signal], [0, null]);
  });
});
