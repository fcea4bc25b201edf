/**
 * Measures how a running service ingests real documents while other clients send requests. Compares
 * its speed and processor time with those of only reading the same files. Also measures uploads of
 * the maximum size. Can also be run alone: `node bench/ingest.ts`.
 */
import { copyFile, rm, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { openWorkshop } from "../server/src/compose/workshop.ts";
import { readConfig } from "../server/src/config.ts";
import { getOperatorOfAgent } from "../server/src/features/agents/agent-lookup.service.ts";
import { addDocument } from "../server/src/features/documents/document-uploads.service.ts";
import { openInstallation } from "../server/src/installation.ts";
import { openLog } from "../server/src/lib/log.ts";
import { defaultReadingSettings, openReader } from "../server/src/reading/open-reader.ts";
import type { ReadableExtension } from "../server/src/reading/reader.ts";
import { filesOf } from "./data.ts";
import { processorSeconds } from "./processor.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import {
  type Settings,
  type StartedService,
  serviceProcess,
  settingsIn,
  type Target,
  targetOf,
  withFolder,
  withService,
} from "./service-target.ts";
import { type UploadSource, uploadSource, uploadSpeed } from "./upload-client.ts";

const documents = 1000;
const readingProcesses = 2;
/**
 * Pause between the requests for agents that are sent during ingestion and during large uploads, in
 * milliseconds.
 */
const askEveryMs = 20;
/** Pause between the questions that are asked during ingestion, in milliseconds. */
const questionEveryMs = 500;
const questions = [
  "What is the total amount of the invoice?",
  "When is the payment due?",
  "Who is the supplier of the order?",
  "Welche Rechnungsnummer hat die Rechnung?",
];

/** Takes about three minutes. */
export async function benchIngest(): Promise<BenchRow[]> {
  const files = sources();
  return [...(await ingestion(files)), ...(await largeUploads())];
}

/** Returns paths of PDF and docx documents that contain text, repeated until there are enough. */
function sources(): string[] {
  const kinds = [
    filesOf("facturx/pdf", ".pdf"),
    filesOf("invoice2data/pdf", ".pdf"),
    filesOf("textract/files", ".pdf"),
    filesOf("textract/files", ".docx"),
    filesOf("deepform/pdf", ".pdf"),
  ].flat();
  return Array.from({ length: documents }, (_, i) => kinds[(i * 7) % kinds.length] as string);
}

interface Work {
  seconds: number;
  processorSeconds: number;
  pages: number;
}

async function readingAlone(files: readonly string[]): Promise<Work> {
  const reader = openReader({ ...defaultReadingSettings, processes: readingProcesses });
  await reader.warm();
  const before = processorSeconds(process.pid);
  const startedAt = performance.now();
  let pages = 0;
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < files.length; i = next++) {
      const path = files[i] as string;
      const read = reader.readPages(path, extname(path).slice(1) as ReadableExtension, {
        onPage: () => {
          pages++;
        },
      });
      await read.catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: readingProcesses + 1 }, worker));
  const work = {
    seconds: (performance.now() - startedAt) / 1000,
    processorSeconds: processorSeconds(process.pid) - before,
    pages,
  };
  await reader.close();
  return work;
}

async function ingestion(files: readonly string[]): Promise<BenchRow[]> {
  return withFolder(async (folder) => {
    const settings = { ...settingsIn(folder), SHEAF_READING_PROCESSES: String(readingProcesses) };
    const [before, after] = [files.slice(0, files.length / 2), files.slice(files.length / 2)];
    const alone = [await readingAlone(before)];
    const { agent, credential } = await makeAgent(settings);
    await fill(settings, agent, files);
    const ingested = await drain(settings, credential, agent);
    alone.push(await readingAlone(after));
    return rowsOf(sum(alone), ingested, files.length);
  });
}

const sum = (works: readonly Work[]): Work => ({
  seconds: works.reduce((total, { seconds }) => total + seconds, 0),
  processorSeconds: works.reduce((total, work) => total + work.processorSeconds, 0),
  pages: works.reduce((total, { pages }) => total + pages, 0),
});

type Credential = Pick<StartedService, "clientId" | "clientSecret">;

async function makeAgent(settings: Settings): Promise<{ agent: string; credential: Credential }> {
  await using started = serviceProcess(settings);
  const credential = await started.message<StartedService>("service");
  return { agent: await createAgent(await targetOf(credential)), credential };
}

async function createAgent({ url, token }: Target): Promise<string> {
  const answer = await fetch(`${url}/v2/agents`, {
    method: "POST",
    headers: { "x-api-key": token, "content-type": "application/json" },
    body: JSON.stringify({ name: "Corpus", type: "DOCUMENTALIST" }),
  });
  return ((await answer.json()) as { data: { reference: string } }).data.reference;
}

/** Uploads all documents into the corpus while no service is running. */
async function fill(settings: Settings, agent: string, files: readonly string[]): Promise<void> {
  const config = readConfig(settings);
  const log = openLog("silent");
  // A running service would start to ingest at once. Instead, this process holds the lock of the
  // folder and stores the documents itself. `openWorkshop` opens the folder a second time, without
  // the lock.
  await using _owner = await openInstallation(config, log, { own: true });
  await using workshop = await openWorkshop(config, log);
  const operator = await getOperatorOfAgent(workshop.documents.db, agent);
  for (const [i, source] of files.entries()) {
    const path = join(config.dataDir, `${i}${extname(source)}`);
    await copyFile(source, path);
    const file = { path, size: (await stat(path)).size };
    await addDocument(workshop.documents, operator, agent, { name: `${i} ${basename(source)}`, file, channel: "api" });
    await rm(path);
  }
}

interface Ingested extends Work {
  ready: number;
  failed: number;
  stallP99Ms: number;
  longestStallMs: number;
  lookMs: number[];
  questionMs: number[];
}

async function drain(settings: Settings, credential: Credential, agent: string): Promise<Ingested> {
  await using service = serviceProcess(settings);
  const { url } = await service.message<StartedService>("service");
  const pid = service.child.pid as number;
  const startedAt = performance.now();
  const usedBefore = processorSeconds(pid);
  const target = await targetOf({ ...credential, url });
  await service.reset();
  const headers = { "x-api-key": target.token, "content-type": "application/json" };
  const timed = async (request: () => Promise<Response>, into: number[]) => {
    const askedAt = performance.now();
    await (await request()).arrayBuffer();
    into.push(performance.now() - askedAt);
  };
  const lookMs: number[] = [];
  const questionMs: number[] = [];
  const ended = new AbortController();
  const repeated = async (everyMs: number, request: (i: number) => Promise<Response>, into: number[]) => {
    for (let i = 0; !ended.signal.aborted; i++) {
      await timed(() => request(i), into);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const meanwhile = Promise.all([
    repeated(askEveryMs, () => fetch(`${url}/v2/agents/${agent}`, { headers }), lookMs),
    repeated(
      questionEveryMs,
      (i) => {
        const body = JSON.stringify({ query: questions[i % questions.length] });
        return fetch(`${url}/v2/knowledge/${agent}`, { method: "POST", headers, body });
      },
      questionMs,
    ),
  ]);
  let documents: { status: string }[];
  do {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const list = await fetch(`${url}/v2/agents/${agent}/documents`, { headers });
    ({ data: documents } = (await list.json()) as { data: typeof documents });
  } while (documents.some(({ status }) => status === "pending"));
  const seconds = (performance.now() - startedAt) / 1000;
  const used = processorSeconds(pid) - usedBefore;
  const { stallP99Ms, longestStallMs } = await service.report();
  ended.abort();
  await meanwhile;
  const ready = documents.filter(({ status }) => status === "ready").length;
  const work = { seconds, processorSeconds: used, pages: 0 };
  return { ...work, ready, failed: documents.length - ready, stallP99Ms, longestStallMs, lookMs, questionMs };
}

function rowsOf(alone: Work, ingested: Ingested, count: number): BenchRow[] {
  const name = `ingestion of ${count} documents with ${alone.pages} pages`;
  const useAlone = alone.processorSeconds / alone.seconds;
  const use = ingested.processorSeconds / ingested.seconds;
  return [
    { name: `${name}: ready`, value: ingested.ready, unit: "", against: `${ingested.failed} in error` },
    {
      name: `${name}: speed`,
      value: count / ingested.seconds,
      unit: "documents/s",
      against: `reading alone ${(count / alone.seconds).toFixed(1)}`,
      ratio: alone.seconds / ingested.seconds,
    },
    { name: `${name}: speed`, value: alone.pages / ingested.seconds, unit: "pages/s", against: "" },
    {
      name: `${name}: processor time`,
      value: ingested.processorSeconds,
      unit: "s",
      against: `reading alone ${alone.processorSeconds.toFixed(1)}`,
      ratio: ingested.processorSeconds / alone.processorSeconds,
    },
    {
      name: `${name}: cores in use`,
      value: use,
      unit: "",
      against: `reading alone ${useAlone.toFixed(2)}`,
      ratio: use / useAlone,
    },
    { name: `${name}: event loop, 99th percentile of a turn`, ...withinLimit(ingested.stallP99Ms, "ms", 50) },
    { name: `${name}: event loop, longest stall`, value: ingested.longestStallMs, unit: "ms", against: "" },
    {
      name: `meanwhile, GET /v2/agents/{reference}: 99th percentile`,
      value: quantile(ingested.lookMs, 0.99),
      unit: "ms",
      against: "",
    },
    {
      name: `meanwhile, ${ingested.questionMs.length} questions: median`,
      value: quantile(ingested.questionMs, 0.5),
      unit: "ms",
      against: `99 %: ${quantile(ingested.questionMs, 0.99).toFixed(0)}`,
    },
  ];
}

/**
 * Uploads files of the maximum size that have the extension .pdf but random content. They are
 * received and stored, and their status becomes `error`.
 */
async function largeUploads(): Promise<BenchRow[]> {
  return withService({}, async (service, target) => {
    const url = `${target.url}/v2/agents/${await createAgent(target)}/documents`;
    const headers = { "x-api-key": target.token };
    const sourceOf = (filename: string, fileBytes = 60 * 2 ** 20) => uploadSource({ fileBytes, fields: { filename } });
    const send = (source: UploadSource) => uploadSpeed({ url, source, parallel: 1, headers, expectedStatus: 202 });
    await send(sourceOf("small.pdf", 1000));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await service.reset();
    const speeds = [];
    for (const name of ["a.pdf", "b.pdf", "c.pdf"]) speeds.push(await send(sourceOf(name)));
    const { rssBefore, rssPeak, longestStallMs } = await service.report();
    const what = "upload of a document of 60 MiB";
    await new Promise((resolve) => setTimeout(resolve, 2000));
    // Generates the files in advance, because generating random bytes would slow down the other
    // clients.
    const sources = Array.from({ length: 8 }, (_, i) => sourceOf(`p${i}.pdf`));
    await service.reset();
    const lookMs: number[] = [];
    let sending = true;
    const looking = (async () => {
      while (sending) {
        const askedAt = performance.now();
        await (await fetch(`${target.url}/v2/agents`, { headers })).arrayBuffer();
        lookMs.push(performance.now() - askedAt);
        await new Promise((resolve) => setTimeout(resolve, askEveryMs));
      }
    })();
    const inParallel = await Promise.all(sources.map(send));
    sending = false;
    await looking;
    const eight = await service.report();
    return [
      {
        name: `8 at once: speed`,
        value: inParallel.reduce((total, speed) => total + speed, 0) / 1e6,
        unit: "MB/s of JSON",
        against: "",
      },
      { name: `8 at once: peak RSS growth`, ...withinLimit((eight.rssPeak - eight.rssBefore) / 2 ** 20, "MiB", 400) },
      { name: `8 at once: longest stall`, value: eight.longestStallMs, unit: "ms", against: "" },
      { name: `meanwhile, GET /v2/agents: 99th percentile`, ...withinLimit(quantile(lookMs, 0.99), "ms", 100) },
      { name: `${what}: speed`, value: quantile(speeds, 0.5) / 1e6, unit: "MB/s of JSON", against: "" },
      { name: `${what}: peak RSS growth`, ...withinLimit((rssPeak - rssBefore) / 2 ** 20, "MiB", 50) },
      { name: `${what}: longest stall`, ...withinLimit(longestStallMs, "ms", 50) },
    ];
  });
}

if (import.meta.main) console.log(table(await benchIngest()));
