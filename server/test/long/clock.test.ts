/**
 * Sets the system clock forward and back while the service runs. With PostgreSQL, a second process,
 * whose clock is correct, runs beside it. Needs libfaketime.
 */

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openReceiver } from "../../src/net/testing/receiver.ts";
import { sample } from "../helpers/corpus.ts";
import { describeSideBySide } from "../helpers/databases.ts";
import { clientOf, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import * as metrics from "../helpers/metrics.ts";
import { firstCredentialOf, start } from "../helpers/process.ts";

const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
const minute = 60_000;
const metricsToken = "a-token-of-the-metrics";
const skip = library === undefined && process.env.REQUIRE_SERVICES === undefined && "faketime is not installed";

describeSideBySide("a changing clock", (dialect) => {
  test("neither loses nor repeats a job, and tokens expire on time", { skip }, async () => {
    await using stack = new AsyncDisposableStack();
    // The receiver never responds to the first attempt, so that attempt is still running while the
    // clock is set forward and back. It refuses the later attempts.
    const receiver = await openReceiver({
      host: "127.0.0.2",
      behave: (_, count) => (count === 0 ? "silence" : { status: 500 }),
    });
    stack.defer(() => receiver.close());
    const place = stack.use(
      await placeOver(dialect, {
        SHEAF_READING_PROCESSES: "1",
        SHEAF_TOKEN_LIFETIME_SECONDS: "7200",
        SHEAF_METRICS_TOKEN: metricsToken,
        SHEAF_OUTBOUND_ALLOW: receiver.host,
        SHEAF_OUTBOUND_HTTP: "on",
      }),
    );
    const clock = join(place.folder, "clock");
    await writeFile(clock, "+0m");
    const faked = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    };
    const service = stack.use(start(["serve"], { ...place.settings, ...faked }));
    const client = await clientOf(service);
    const urls = [client.url];
    if (dialect === "postgres") {
      const { data } = place;
      const shared = {
        SHEAF_KEYS_DIR: `${data}/keys`,
        SHEAF_FILES_DIR: `${data}/files`,
        SHEAF_INDEX_DIR: `${data}/index`,
      };
      const settings = { ...place.settings, ...shared, SHEAF_DATA_DIR: join(place.folder, "second") };
      urls.push(await urlOf(stack.use(start(["serve"], settings))));
    }
    const credentials = await firstCredentialOf(service);
    /**
     * Sets the clock of the service to a number of minutes from now, and waits until the service
     * uses it.
     */
    const set = async (minutes: number): Promise<void> => {
      await writeFile(clock, `${minutes < 0 ? "" : "+"}${minutes}m`);
      for (const deadline = performance.now() + 20_000; ; await sleep(200)) {
        const { headers } = await fetch(client.url);
        const off = Date.parse(headers.get("date") ?? "") - Date.now() - minutes * minute;
        if (Math.abs(off) < minute / 2) return;
        assert.ok(performance.now() < deadline, `the clock is off by ${off} ms`);
      }
    };
    const upload = async (at: string): Promise<void> => {
      for (let i = 0; i < 8; i++) {
        const url = urls[i % urls.length] ?? client.url;
        assert.equal((await client.upload(url, `${at} ${i}.pdf`, sample)).status, 202);
      }
    };
    await client.send(client.url, "PUT", "/v2/organization/webhooks/document.ingestion_completed", {
      url: receiver.url("/"),
    });
    const status = async (token: string) =>
      (await fetch(`${client.url}/v2/agents`, { headers: { "x-api-key": token } })).status;
    const newToken = async (): Promise<string> => {
      const { id, secret } = credentials;
      const answer = await fetch(`${client.url}/v2/token?client_id=${id}&client_secret=${secret}`);
      return ((await answer.json()) as { access_token: string }).access_token;
    };

    await upload("now");
    await set(60);
    await upload("later");
    const first = await newToken();
    await settled(() => client.list(client.url));
    const records = stack.use(place.open());
    /** Returns the time until the last waiting job is due, in milliseconds of the real clock. */
    const furthestMs = async (): Promise<number> => {
      const jobs = await records.db.selectFrom("jobs").select("run_at").where("worker", "is", null).execute();
      return Math.max(...jobs.map(({ run_at }) => Date.parse(run_at) - Date.now()));
    };
    // Some deliveries wait for their next attempt. Its time was computed from the clock that is an
    // hour ahead.
    assert.ok((await furthestMs()) > 55 * minute, `${await furthestMs()} ms`);
    await set(-60);
    await sleep(2_000);
    assert.ok((await furthestMs()) < 2 * minute, `${await furthestMs()} ms`);
    await upload("earlier");
    assert.equal(await status(first), 200);
    const documents = await settled(() => client.list(client.url));
    assert.deepEqual(
      documents.map(({ status }) => status),
      Array.from({ length: 24 }, () => "ready"),
    );
    const told = await records.db.selectFrom("deliveries").select("data").execute();
    const names = told.map(({ data }) => JSON.parse(data).name);
    assert.deepEqual([names.length, new Set(names).size], [24, 24]);
    /** Returns a metric of job attempts, summed over all processes. */
    const attempts = async (name: string, labels: Record<string, string>): Promise<number> => {
      let sum = 0;
      for (const url of urls) {
        const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
        sum += metrics.sample(await answer.text(), name, labels) ?? 0;
      }
      return sum;
    };
    assert.equal(await attempts("sheaf_job_attempts_started_total", { name: "document.ingest" }), 24);
    assert.equal(await attempts("sheaf_job_attempt_duration_seconds_count", { outcome: "lost" }), 0);
    const second = await newToken();
    assert.equal(await status(second), 200);
    await set(62);
    assert.equal(await status(second), 401);
    assert.equal(await status(first), 200);
  });
});
