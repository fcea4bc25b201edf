/**
 * Measures a running service over HTTP: uploads, extraction from real invoices, and broken files.
 * Can also be run alone: `node bench/service.ts`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { dataFolder, filesOf } from "./data.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { type Target, withFolder, withService } from "./service-target.ts";
import { uploadSource, uploadSpeed } from "./upload-client.ts";
import type { MeasuredProcess } from "./upload-process.ts";

const fileBytes = 36 * 1024 * 1024;
const params = JSON.parse(await readFile(join(import.meta.dirname, "../examples/params.json"), "utf8"));

/** Takes about a minute. */
export async function benchService(): Promise<BenchRow[]> {
  return [
    ...(await withService({}, (process_, target) => uploads(process_, target, 1, 50))),
    ...(await withService({}, (process_, target) => uploads(process_, target, 8, 250))),
    ...(await withService({}, (_, target) => extractions(target))),
    ...(await withService({}, (_, target) => brokenFiles(target))),
  ];
}

/**
 * Uploads files of the maximum size that are not PDFs. Each is received and stored, refused as
 * corrupt, and removed.
 */
async function uploads(
  process_: MeasuredProcess,
  { url, token }: Target,
  parallel: number,
  maxGrowth: number,
): Promise<BenchRow[]> {
  const source = uploadSource({ fileBytes, fields: { filename: "a.pdf", params } });
  const headers = { "x-api-key": token };
  const send = () => uploadSpeed({ url: `${url}/v2/extractor`, source, parallel, headers, expectedStatus: 502 });
  await uploadSpeed({
    url: `${url}/v2/extractor`,
    source: uploadSource({ fileBytes: 1000, fields: { filename: "a.pdf", params } }),
    parallel: 1,
    headers,
    expectedStatus: 502,
  });
  await process_.reset();
  const speeds = [await send(), await send(), await send()];
  const report = await process_.report();
  const name = `POST /v2/extractor, ${parallel} × 36 MiB`;
  return [
    { name: `${name}: speed`, ...withinLimit(quantile(speeds, 0.5) / 1e6, "MB/s of JSON", 150) },
    {
      name: `${name}: peak RSS growth`,
      ...withinLimit((report.rssPeak - report.rssBefore) / 2 ** 20, "MiB", maxGrowth),
    },
    { name: `${name}: longest stall`, ...withinLimit(report.longestStallMs, "ms", 50) },
  ];
}

interface Answer {
  status: number;
  code: string | undefined;
  reason: string | undefined;
  ms: number;
}

async function extract({ url, token }: Target, path: string): Promise<Answer> {
  const body = JSON.stringify({ filename: basename(path), params, file: (await readFile(path)).toString("base64") });
  const startedAt = performance.now();
  const response = await fetch(`${url}/v2/extractor`, {
    method: "POST",
    body,
    headers: { "x-api-key": token, "content-type": "application/json" },
  });
  const { code, detail } = (await response.json()) as { code?: string; detail?: { reason?: string } };
  return { status: response.status, code, reason: detail?.reason, ms: performance.now() - startedAt };
}

async function extractions(target: Target): Promise<BenchRow[]> {
  const truth = JSON.parse(await readFile(join(dataFolder, "facturx/truth.json"), "utf8")) as Record<
    string,
    { file: string; pages: number }
  >;
  const documents = Object.values(truth);
  const perPage: number[] = [];
  const whole: number[] = [];
  for (const round of [0, 1]) {
    for (const { file, pages } of documents) {
      const { status, ms } = await extract(target, join(dataFolder, "facturx", file));
      if (status !== 200) throw new Error(`${file}: ${status}`);
      // The first round is not counted, because it starts processes and compiles code.
      if (round === 0) continue;
      whole.push(ms);
      perPage.push(ms / pages);
    }
  }
  const name = `extraction of ${documents.length} invoices, one at a time`;
  return [
    { name: `${name}: median of a document`, value: quantile(whole, 0.5), unit: "ms", against: "" },
    { name: `${name}: 95th percentile of a document`, value: quantile(whole, 0.95), unit: "ms", against: "" },
    { name: `${name}: median of a page`, value: quantile(perPage, 0.5), unit: "ms", against: "" },
  ];
}

/** Sends 60 damaged or unreadable PDFs at once, while other clients request the list of agents. */
async function brokenFiles(target: Target): Promise<BenchRow[]> {
  const manifest = JSON.parse(await readFile(join(dataFolder, "hostile/manifest.json"), "utf8")) as {
    file: string;
    ext: string;
    expected: string;
  }[];
  const hostile = manifest.filter(({ ext }) => ext === "pdf").map(({ file }) => join(dataFolder, "hostile", file));
  const sound = filesOf("facturx/pdf", ".pdf");
  return withFolder(async (damaged) => {
    const files = [...hostile, ...(await truncate(sound, damaged))].slice(0, 60);
    let done = false;
    const all = Promise.all(files.map((file) => extract(target, file))).finally(() => {
      done = true;
    });
    const others: number[] = [];
    while (!done) {
      const startedAt = performance.now();
      const response = await fetch(`${target.url}/v2/agents`, { headers: { "x-api-key": target.token } });
      if (response.status !== 200) throw new Error(`another request failed with ${response.status}`);
      await response.arrayBuffer();
      others.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const answers = await all;
    const unclear = answers.filter(
      ({ status, code, reason }) => status !== 200 && !(code === "extraction_failed" && reason !== undefined),
    );
    return [
      {
        name: `${files.length} broken PDFs at once: responses that are neither data nor a clear error`,
        value: unclear.length,
        unit: "",
        against: "limit 0",
      },
      {
        name: `${files.length} broken PDFs at once: read successfully`,
        value: answers.filter(({ status }) => status === 200).length,
        unit: "",
        against: "",
      },
      {
        name: `${files.length} broken PDFs at once: slowest response`,
        value: Math.max(...answers.map(({ ms }) => ms)),
        unit: "ms",
        against: "limit 30000",
      },
      { name: `meanwhile, GET /v2/agents: 99th percentile`, value: quantile(others, 0.99), unit: "ms", against: "" },
    ];
  });
}

async function truncate(files: string[], folder: string): Promise<string[]> {
  return Promise.all(
    files.slice(0, 20).map(async (file, i) => {
      const path = join(folder, basename(file));
      const bytes = await readFile(file);
      await writeFile(path, bytes.subarray(0, Math.floor((bytes.length * (i + 1)) / 24)));
      return path;
    }),
  );
}

if (import.meta.main) console.log(table(await benchService()));
