/**
 * Ingestion of real documents by the running service, beside reading the same files alone; meanwhile others ask it. And uploads of the
 * largest size. Runs alone too: `node bench/ingest.ts`.
 */
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { openInstallation, openWorkshop } from "../server/src/compose.ts";
import { readConfig } from "../server/src/config.ts";
import { getTenantOfAgent } from "../server/src/features/agents/agents.service.ts";
import { addDocument } from "../server/src/features/documents/documents.service.ts";
import { openLog } from "../server/src/lib/log.ts";
import { defaultReadingSettings, openReader } from "../server/src/reading/host.ts";
import type { ReadableExtension } from "../server/src/reading/reader.ts";
import { filesOf } from "./data.ts";
import { processorSeconds } from "./processor.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { type StartedService, type Target, targetOf } from "./service-target.ts";
import { uploadSource, uploadSpeed } from "./upload-client.ts";
import { MeasuredProcess } from "./upload-process.ts";

const documents = 1000;
const readingProcesses = 2;
const askEveryMs = 20;

/** Takes about three minutes. */
export async function benchIngest(): Promise<BenchRow[]> {
  const files = sources();
  return [...(await ingestion(files)), ...(await largeUploads())];
}

/** Documents with text of every kind that a corpus takes, repeated to the full number. */
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
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
  try {
    const environment = {
      PATH: process.env.PATH,
      SHEAF_DATA_DIR: folder,
      SHEAF_PORT: "0",
      SHEAF_READING_PROCESSES: String(readingProcesses),
    };
    const [before, after] = [files.slice(0, files.length / 2), files.slice(files.length / 2)];
    const alone = [await readingAlone(before)];
    const { agent, credential } = await makeAgent(environment);
    await fill(environment, agent, files);
    const ingested = await drain(environment, credential, agent);
    alone.push(await readingAlone(after));
    return rowsOf(sum(alone), ingested, files.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const sum = (works: readonly Work[]): Work => ({
  seconds: works.reduce((total, { seconds }) => total + seconds, 0),
  processorSeconds: works.reduce((total, work) => total + work.processorSeconds, 0),
  pages: works.reduce((total, { pages }) => total + pages, 0),
});

type Environment = Record<string, string | undefined>;
type Credential = Pick<StartedService, "clientId" | "clientSecret">;

const serviceProcess = (environment: Environment) =>
  new MeasuredProcess(new URL("./service-server.ts", import.meta.url), [], environment);

async function makeAgent(environment: Environment): Promise<{ agent: string; credential: Credential }> {
  await using started = serviceProcess(environment);
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

/** Puts all documents into the corpus while no service runs. */
async function fill(environment: Environment, agent: string, files: readonly string[]): Promise<void> {
  const config = readConfig(environment);
  const log = openLog("silent");
  // Whoever holds the folder would ingest at once: this process holds it, and the workshop beside it does not.
  await using _owner = await openInstallation(config, log, { own: true });
  await using workshop = await openWorkshop(config, log);
  const tenant = await getTenantOfAgent(workshop.documents.db, agent);
  for (const [i, source] of files.entries()) {
    const path = join(config.dataDir, `${i}${extname(source)}`);
    await copyFile(source, path);
    const file = { path, size: (await stat(path)).size };
    await addDocument(workshop.documents, tenant, agent, { name: `${i} ${basename(source)}`, file, channel: "api" });
    await rm(path);
  }
}

interface Ingested extends Work {
  ready: number;
  failed: number;
  stallP99Ms: number;
  longestStallMs: number;
  answersMs: number[];
}

async function drain(environment: Environment, credential: Credential, agent: string): Promise<Ingested> {
  await using service = serviceProcess(environment);
  const startedAt = performance.now();
  const { url } = await service.message<StartedService>("service");
  const target = await targetOf({ ...credential, url });
  const pid = service.child.pid as number;
  await service.reset();
  const answersMs: number[] = [];
  const headers = { "x-api-key": target.token };
  for (let looks = 0; ; looks++) {
    const askedAt = performance.now();
    const answer = await fetch(`${url}/v2/agents/${agent}`, { headers });
    await answer.arrayBuffer();
    answersMs.push(performance.now() - askedAt);
    if (looks % 50 === 49) {
      const list = await fetch(`${url}/v2/agents/${agent}/documents`, { headers });
      const { data } = (await list.json()) as { data: { status: string }[] };
      if (data.every(({ status }) => status !== "pending")) {
        const seconds = (performance.now() - startedAt) / 1000;
        const ready = data.filter(({ status }) => status === "ready").length;
        const { stallP99Ms, longestStallMs } = await service.report();
        const used = processorSeconds(pid);
        return {
          seconds,
          processorSeconds: used,
          pages: 0,
          ready,
          failed: data.length - ready,
          stallP99Ms,
          longestStallMs,
          answersMs,
        };
      }
    }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
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
    { name: `${name}: event loop, 99 % of its turns within`, ...withinLimit(ingested.stallP99Ms, "ms", 50) },
    { name: `${name}: event loop, longest stall`, value: ingested.longestStallMs, unit: "ms", against: "" },
    {
      name: `meanwhile, GET /v2/agents/{reference}: 99 % within`,
      value: quantile(ingested.answersMs, 0.99),
      unit: "ms",
      against: "",
    },
  ];
}

/** Files of the largest size that are no PDF: received, stored, and ended in error. */
async function largeUploads(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
  try {
    const environment = { PATH: process.env.PATH, SHEAF_DATA_DIR: folder, SHEAF_PORT: "0" };
    await using service = serviceProcess(environment);
    const target = await targetOf(await service.message<StartedService>("service"));
    const url = `${target.url}/v2/agents/${await createAgent(target)}/documents`;
    const headers = { "x-api-key": target.token };
    const send = (filename: string, fileBytes: number) =>
      uploadSpeed({
        url,
        source: uploadSource({ fileBytes, fields: { filename } }),
        parallel: 1,
        headers,
        expectedStatus: 202,
      });
    await send("small.pdf", 1000);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await service.reset();
    const speeds = [];
    for (const name of ["a.pdf", "b.pdf", "c.pdf"]) speeds.push(await send(name, 60 * 2 ** 20));
    const { rssBefore, rssPeak, longestStallMs } = await service.report();
    const what = "upload of a document of 60 MiB";
    return [
      { name: `${what}: speed`, value: quantile(speeds, 0.5) / 1e6, unit: "MB/s of JSON", against: "" },
      { name: `${what}: peak RSS growth`, ...withinLimit((rssPeak - rssBefore) / 2 ** 20, "MiB", 50) },
      { name: `${what}: longest stall`, ...withinLimit(longestStallMs, "ms", 50) },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.log(table(await benchIngest()));
