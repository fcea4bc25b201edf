/** `sheaf ingest`: adds the documents of a folder to a corpus and waits for their ingestion. */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { documentPathIssues, extensionOf, filenameIssues, normalizeFilename } from "@sheaf/contract/filename.ts";
import { documentExtensions } from "@sheaf/contract/limits.ts";
import { openWorkshop, type Workshop } from "../compose/workshop.ts";
import { readConfig } from "../config.ts";
import { getOperatorOfAgent } from "../features/agents/agent-lookup.service.ts";
import type { AuditActor } from "../features/audit/audit.service.ts";
import { addDocument } from "../features/documents/document-uploads.service.ts";
import { type DocumentState, listDocumentStates } from "../features/documents/documents.service.ts";
import type { Principal } from "../lib/caller.ts";
import { AppError } from "../lib/errors.ts";
import { openLog } from "../lib/log.ts";
import { IngestProgress } from "./ingest-progress.ts";

interface FoundFile {
  /** Path on the local disk. */
  file: string;
  /** Folder within the corpus. */
  path: string;
  name: string;
  isLink: boolean;
}

const pollMs = 500;

/**
 * Adds the documents. Exits with code 1 if a document was refused or failed, or a signal stopped
 * the command.
 */
export async function ingest(folder: string, agent: string): Promise<void> {
  const found: FoundFile[] = [];
  for await (const file of filesIn(resolve(folder))) found.push(file);
  const files = found.filter(({ isLink }) => !isLink);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const config = readConfig();
  await using workshop = await openWorkshop(config, openLog(config.logLevel === "info" ? "error" : config.logLevel));
  const operator = await getOperatorOfAgent(workshop.documents.db, agent);
  const there = new Map(
    (await listDocumentStates(workshop.documents, operator, agent)).map((each) => [placeOf(each), each]),
  );
  const accepted = files.filter(({ name }) => documentExtensions.some((each) => each === extensionOf(name)));
  const missing = accepted.filter((each) => !there.has(placeOf(each)));
  const resumed = accepted
    .flatMap((each) => there.get(placeOf(each)) ?? [])
    .filter(({ status }) => status === "pending");
  const progress = new IngestProgress(missing.length + resumed.length);
  const awaited = new Set(resumed.map(({ id }) => id));
  const added = addAll(workshop, operator, agent, missing, { awaited, progress, stop: stop.signal });
  await follow(() => listDocumentStates(workshop.documents, operator, agent), added, {
    awaited,
    progress,
    stop: stop.signal,
  });
  await added;
  progress.end({
    there: accepted.length - missing.length - resumed.length,
    otherKinds: files.length - accepted.length,
    links: found.length - files.length,
    stopped: stop.signal.aborted,
  });
  if (progress.failed || stop.signal.aborted) process.exitCode = 1;
}

/**
 * Yields files sorted by name, so that every run has the same order. Links are counted but not
 * followed.
 */
async function* filesIn(folder: string, path: string[] = []): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = join(folder, entry.name);
    const isLink = entry.isSymbolicLink();
    if (entry.isDirectory()) yield* filesIn(file, [...path, entry.name]);
    else if (entry.isFile() || isLink) yield { file, path: path.join("/"), name: entry.name, isLink };
  }
}

const placeOf = ({ path, name }: { path: string; name: string }): string => normalizeFilename(`${path}/${name}`);

interface IngestRun {
  /** References of the documents that have not finished yet. */
  awaited: Set<string>;
  progress: IngestProgress;
  stop: AbortSignal;
}

async function addAll(
  workshop: Workshop,
  operator: Principal & AuditActor,
  agent: string,
  files: FoundFile[],
  run: IngestRun,
): Promise<void> {
  for (const each of files) {
    if (run.stop.aborted) return;
    try {
      run.awaited.add(await add(workshop, operator, agent, each, run.stop));
    } catch (error) {
      if (run.stop.aborted) return;
      run.progress.refused(each, (error as Error).message);
      if (!(error instanceof AppError) || error.code === "quota_exceeded") return;
    }
  }
}

async function add(
  workshop: Workshop,
  operator: Principal & AuditActor,
  agent: string,
  { file, path, name }: FoundFile,
  stop: AbortSignal,
): Promise<string> {
  const issues = [...filenameIssues(name, "the name"), ...(path === "" ? [] : documentPathIssues(path, "the path"))];
  if (issues[0])
    throw new AppError("invalid_request", { issues }, { message: `${issues[0].path} ${issues[0].message}` });
  await using copy = await workshop.temporaryFiles.create();
  for await (const chunk of createReadStream(file)) await copy.write(chunk);
  await copy.close();
  await workshop.antivirus?.scan(copy, stop);
  const document = { name, path, file: { path: copy.path, size: copy.size }, channel: "app" as const };
  // Awaited, because the temporary copy must exist until the document is added.
  return await addDocument(workshop.documents, operator, agent, document);
}

/** Waits until all documents are added and finished, or the command is stopped. */
async function follow(list: () => Promise<DocumentState[]>, added: Promise<void>, run: IngestRun): Promise<void> {
  let adding = true;
  added
    .catch(() => {})
    .finally(() => {
      adding = false;
    });
  while (!run.stop.aborted) {
    const last = !adding;
    const states = new Map((await list()).map((each) => [each.id, each]));
    for (const id of [...run.awaited]) {
      const state = states.get(id);
      if (state?.status === "pending") continue;
      run.awaited.delete(id);
      if (state) run.progress.ended(state);
    }
    run.progress.show();
    if (last && run.awaited.size === 0) return;
    await sleep(pollMs, undefined, { signal: run.stop }).catch(() => {});
  }
}
