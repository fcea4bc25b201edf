/**
 * Attack: kills the service repeatedly while documents are uploaded. Then asks a question for each
 * ready document, with a word that only this document contains. The questions go to a process that
 * was started after the last kill and, with PostgreSQL, also to a second process that shares files,
 * index and keys. `TEST_RUNS`, `TEST_UPLOADS` and `TEST_KILLS` set the number of runs, uploads and
 * kills. The service must pass with 10 runs, 200 uploads and 20 kills.
 */
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDocx, paragraph } from "../src/reading/testing/make-office.ts";
import { makePdf } from "../src/reading/testing/make-pdf.ts";
import type { Dialect } from "../test/helpers/databases.ts";
import { clientOf, type Place, placeOver, settingsBeside, settled, urlOf } from "../test/helpers/killed-service.ts";
import { type Running, start } from "../test/helpers/process.ts";
import { reportAttack } from "./report.ts";

const runs = Number(process.env.TEST_RUNS ?? 1);
const uploads = Number(process.env.TEST_UPLOADS ?? 30);
const kills = Number(process.env.TEST_KILLS ?? 4);
const inParallel = 6;
/**
 * Maximum time, in milliseconds, for which a request is retried while the service responds with
 * status 503.
 */
const patienceMs = 60_000;

/** Returns a word for document `i` that no other document contains. */
const wordOf = (i: number): string => `quarz${[...String(i)].map((digit) => "bdfghklmnp"[Number(digit)]).join("")}`;
const nameOf = (i: number): string => `${i}.${i % 3 === 2 ? "docx" : "pdf"}`;

function fileOf(i: number): Buffer {
  const text = `The machine ${wordOf(i)} stands in hall ${i}.`;
  if (i % 3 === 2) return Buffer.from(makeDocx({ body: paragraph(text) }));
  return Buffer.from(makePdf({ pages: [{ marks: [{ text, x: 72, y: 700 }] }] }));
}

type Client = Awaited<ReturnType<typeof clientOf>>;

/**
 * Uploads all documents while the service is killed repeatedly. Returns a service that was started
 * after the last kill.
 */
async function uploadUnderKills({ settings }: Place, first: Running, client: Client): Promise<Running> {
  let server = first;
  let url = client.url;
  let next = 0;
  const uploadAll = async (): Promise<void> => {
    for (let i = next++; i < uploads; i = next++) {
      for (;;) {
        const answer = await client.upload(url, nameOf(i), fileOf(i)).catch(() => undefined);
        if (answer?.status === 202 || answer?.status === 409) break;
        if (answer && answer.status !== 503) throw new Error(JSON.stringify(answer));
        await sleep(50);
      }
      await sleep(((kills * 1_000) / uploads) * inParallel * Math.random());
    }
  };
  const uploading = Promise.all(Array.from({ length: inParallel }, uploadAll));
  for (let i = 0; i < kills; i++) {
    await sleep(Math.random() * 1_500);
    server.child.kill("SIGKILL");
    await server.finished;
    server = start(["serve"], settings);
    url = await urlOf(server);
  }
  await uploading;
  return server;
}

/**
 * Asks a question about each document, with the word that only this document contains. Returns the
 * names of documents that are not found, with the status of the response.
 */
async function missedAt(client: Client, url: string): Promise<string[]> {
  const missed: string[] = [];
  for (let i = 0; i < uploads; i++) {
    const query = `Where does the machine ${wordOf(i)} stand?`;
    for (const deadline = Date.now() + patienceMs; ; await sleep(200)) {
      const body = { query, include: ["citations"] };
      const answer = await client.send(url, "POST", `/v2/knowledge/${client.agent}`, body);
      if (answer.status === 503 && Date.now() < deadline) continue;
      const cited = (answer.body.data?.citations ?? []) as { name: string }[];
      if (!cited.some(({ name }) => name === nameOf(i))) missed.push(`${nameOf(i)} ${answer.status}`);
      break;
    }
  }
  return missed;
}

async function attack(t: TestContext, dialect: Dialect): Promise<void> {
  let [tried, succeeded] = [0, 0];
  for (let run = 1; run <= runs; run++) {
    await using place = await placeOver(dialect);
    const first = start(["serve"], place.settings);
    const client = await clientOf(first);
    await using last = await uploadUnderKills(place, first, client);
    const urls = [await urlOf(last)];
    const listed = await settled(() => client.list(urls[0] ?? ""), 300_000);
    const ready = listed.filter(({ status }) => status === "ready").length;
    await using second = dialect === "postgres" ? start(["serve"], settingsBeside(place)) : undefined;
    if (second) urls.push(await urlOf(second));
    for (const url of urls) {
      const missed = await missedAt(client, url);
      t.diagnostic(`run ${run}: ${ready} of ${uploads} ready after ${kills} kills, ${uploads - missed.length} found`);
      if (missed.length > 0) t.diagnostic(missed.join(", "));
      tried += uploads;
      succeeded += missed.length;
    }
  }
  reportAttack(t, `documents lost by kills with ${dialect}`, { tried, succeeded });
}

const timeout = 600_000 * runs;
test("a service that is killed during uploads loses nothing, with SQLite", { timeout }, (t) => attack(t, "sqlite"));

const skip = process.env.TEST_POSTGRES_URL === undefined && "TEST_POSTGRES_URL is not set";
test("a service that is killed during uploads loses nothing, with PostgreSQL", { timeout, skip }, (t) =>
  attack(t, "postgres"),
);
