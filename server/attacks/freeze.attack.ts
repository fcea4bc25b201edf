/**
 * Attack: sends questions, fields, classes and files whose text takes as long as possible to
 * process. The service must keep responding to other clients.
 */
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeXlsx } from "../src/reading/testing/make-office.ts";
import { corpusOf, sampleBase64 } from "../test/helpers/corpus.ts";
import { openTestService } from "../test/helpers/service.ts";
import { reportAttack } from "./report.ts";

/**
 * Maximum processor time of one request on the main thread, in milliseconds. The response time of
 * `/healthz` is not used, because it is long on any busy machine. The slowest of 86 attacks took
 * 159 ms, after subtracting the time of concurrent `/healthz` requests.
 */
const maxMainThreadMs = 500;
/**
 * Maximum response time, in milliseconds. Four times the deadline for answering a question in a
 * worker thread.
 */
const maxAnswerMs = 40_000;
const slowPollMs = 100;

const alphabets = ["中", "a", "A ", "1 ", "1.", "一句", " ", "-", "a@", "not ", "invoice no. 1 ", "\u0301"];
const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

test("no text that one client sends blocks other requests", async (t) => {
  await using service = await openTestService("sqlite", { SHEAF_RATE_LIMIT: "0", SHEAF_ADDRESS_RATE_LIMIT: "0" });
  const organization = await service.organization("attacker");
  const { administrator } = organization;
  const corpus = corpusOf(service, organization);
  const agent = await corpus.makeAgent();
  await corpus.accepted(agent);
  await corpus.settled(agent);
  const consignes = Array.from({ length: 100 }, () => fill("中", 1_000));
  const strict = await corpus.makeAgent("DOCUMENTALIST", { consignes });
  const ask = (body: object, of = agent) =>
    administrator.send("POST", `/v2/knowledge/${of}`, { query: "Why?", ...body });
  const extract = (body: object) =>
    administrator.send("POST", "/v2/extractor", {
      filename: "a.pdf",
      file: sampleBase64,
      params: [param("")],
      ...body,
    });
  const classify = (body: object) =>
    administrator.send("POST", "/v2/classification/async", { filename: "a.pdf", file: sampleBase64, ...body });
  const attacks: (() => Promise<{ status: number }>)[] = [
    ...alphabets.flatMap((unit) => {
      const file = workbook(fill(unit, 30_000));
      return [
        () => ask({ instructions: [fill(unit, 4_000)] }),
        () => ask({ query: `What is the total of invoice ${fill(unit, 7_900)}?` }),
        () => ask({ query: "And?", historic: turns(fill(unit, 20_000)) }),
        () => extract({ params: [param(fill(unit, 2_000))] }),
        () => extract({ filename: `${fill(unit, 240)}.pdf` }),
        () =>
          classify({
            filename: `${fill(unit, 240)}.pdf`,
            classes: [{ label: fill(unit, 200), description: fill(unit, 2_000) }],
          }),
        () => extract({ filename: "a.xlsx", file }),
      ];
    }),
    () => ask({ instructions: Array.from({ length: 50 }, () => fill("中", 4_000)) }),
    () => ask({}, strict),
  ];
  let succeeded = 0;
  let longest = 0;
  const polls = pollHealth(service.url);
  // Waits for a second, because the first polls take longer than later ones.
  await sleep(1_000);
  const earlierPolls = polls.waits.length;
  const pollMs = (await mainThreadTime(() => sleep(1_000))) / (polls.waits.length - earlierPolls);
  for (const attack of attacks) {
    const startedAt = performance.now();
    const earlier = polls.waits.length;
    const withPolls = await mainThreadTime(attack);
    const mainThreadMs = withPolls - pollMs * (polls.waits.length - earlier);
    longest = Math.max(longest, mainThreadMs);
    if (mainThreadMs > maxMainThreadMs || performance.now() - startedAt > maxAnswerMs) succeeded++;
  }
  await polls.stop();
  const { waits } = polls;
  const slow = waits.filter((ms) => ms > slowPollMs).length;
  t.diagnostic(
    `/healthz: ${waits.length} polls, ${slow} above ${slowPollMs} ms, longest ${Math.max(...waits).toFixed(0)} ms`,
  );
  t.diagnostic(`longest on the main thread: ${longest.toFixed(0)} ms`);
  reportAttack(t, "text that freezes the service", { tried: attacks.length, succeeded });
});

/**
 * Runs `act` and returns the processor time that the main thread used meanwhile, in milliseconds.
 */
async function mainThreadTime(act: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const param = (description: string) => ({ name: "total", format: "number", description });

const turns = (text: string) =>
  Array.from({ length: 8 }, (_, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content: text }));

/** Returns a workbook, in base64, whose cells have the number format `code`. */
function workbook(code: string): string {
  const escaped = code.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const styles = `<numFmts><numFmt numFmtId="200" formatCode="${escaped}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`;
  const rows = Array.from(
    { length: 50 },
    (_, row) => `<row r="${row + 1}"><c r="A${row + 1}" s="0"><v>1234.5</v></c></row>`,
  );
  const file = makeXlsx({ sheets: { A: rows.join("") }, styles });
  return Buffer.from(file).toString("base64");
}

/** Polls `/healthz` continuously, and collects the response times in `waits`, in milliseconds. */
function pollHealth(url: string) {
  const waits: number[] = [];
  let stopped = false;
  const polling = (async () => {
    while (!stopped) {
      const startedAt = performance.now();
      await (await fetch(`${url}/healthz`)).arrayBuffer();
      waits.push(performance.now() - startedAt);
      await sleep(20);
    }
  })();
  return {
    waits,
    stop: async () => {
      stopped = true;
      await polling;
    },
  };
}
