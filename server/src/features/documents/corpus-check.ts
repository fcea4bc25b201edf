/**
 * Checks, for all organizations, that the rows, files, index and jobs of the documents are
 * consistent. The operator runs this check.
 */
import type { StoredFiles } from "../../files/stored-files.ts";
import { type KindOfJob, listPayloads, summarizeJobs } from "../../jobs/queue.ts";
import type { DocumentStatus } from "../../records/agent-tables.ts";
import type { Db } from "../../records/records.ts";
import { IndexDamaged } from "../../search/index-damaged.ts";
import type { PassageIndex } from "../../search/passage-index.ts";
import { listAllDocumentalists } from "../agents/agent-lookup.service.ts";
import {
  checkKeptClassifications,
  isKeptClassificationFile,
} from "../kept-classifications/kept-classifications.service.ts";
import { checkKept, isKeptFile } from "../kept-extractions/kept-extractions.service.ts";
import { checkOperations, isOperationFile } from "../operations/operations.service.ts";
import { documentKey, originalKey, ownerOf, readStoredDocument } from "./document-files.ts";
import { type DocumentKey, type DocumentState, listStates } from "./documents.repo.ts";

export interface CorpusReport {
  counts: Record<DocumentStatus, number>;
  /** One sentence per problem. */
  problems: string[];
}

interface CheckDeps {
  db: Db;
  files: StoredFiles;
  index: PassageIndex;
}

/**
 * Checks the corpora of all organizations.
 * @param options `running`: true if a service uses the corpora during the check. Work in progress
 * is then not reported as a problem
 */
export async function checkCorpus(deps: CheckDeps, { running }: { running: boolean }): Promise<CorpusReport> {
  const report = await look(deps, running);
  if (!running || report.problems.length === 0) return report;
  await new Promise((resolve) => setTimeout(resolve, underWayMs));
  const again = new Set((await look(deps, running)).problems);
  return { ...report, problems: report.problems.filter((problem) => again.has(problem)) };
}

/**
 * Pause before the check is repeated, in milliseconds. Only problems found both times are reported.
 * The pause is longer than the time between storing a file and inserting its row.
 */
const underWayMs = 3_000;

async function look({ db, files, index }: CheckDeps, running: boolean): Promise<CorpusReport> {
  const keys = new Set<string>();
  for await (const { key } of files.list())
    if (!isOperationFile(key) && !isKeptFile(key) && !isKeptClassificationFile(key)) keys.add(key);
  const ingested = new Set((await listPayloads(db, "document.ingest")).map(({ document }) => document));
  const counts = { pending: 0, ready: 0, error: 0 };
  const problems: string[] = [];
  for (const { id: agent, organization_id: organizationId } of await listAllDocumentalists(db)) {
    const states = await listStates(db, organizationId, agent);
    const missed = await missedIn(index, agent);
    for (const state of states) {
      const of = { organizationId, agent, document: state.id };
      counts[state.status]++;
      if (!keys.has(originalKey(of))) problems.push(`The file of document ${state.id} is missing.`);
      else problems.push(...(await originalProblems(files, of, state.size)));
      if (state.status === "ready" && !keys.has(documentKey(of)))
        problems.push(`The stored text of document ${state.id} is missing.`);
      else if (state.status === "ready") problems.push(...(await documentProblems(files, of)));
      if (state.status === "pending" && !ingested.has(state.id))
        problems.push(`Document ${state.id} is pending, but has no job.`);
    }
    if (missed === undefined)
      problems.push(`The index of agent ${agent} is damaged: \`sheaf reindex --agent ${agent}\` rebuilds it.`);
    else {
      problems.push(...indexProblems(agent, states, await index.documents(agent)));
      problems.push(...missed.map((id) => `A search for words of document ${id} of agent ${agent} does not find it.`));
    }
  }
  // A crash may leave behind a file whose document has no row. A sweep removes the file later
  // (`sweep.service.ts`), so it is not reported here.
  for (const key of keys)
    if (ownerOf(key) === undefined) problems.push(`The stored file ${key} does not have a name that Sheaf uses.`);
  problems.push(...(await checkOperations({ db, files })));
  problems.push(...(await checkKept({ db, files })));
  problems.push(...(await checkKeptClassifications({ db, files })));
  for (const kind of await summarizeJobs(db)) problems.push(...jobProblems(kind, running));
  return { counts, problems };
}

/**
 * Returns the documents that are not found when their own words are searched for. Returns undefined
 * if the index is damaged.
 */
async function missedIn(index: PassageIndex, agent: string): Promise<string[] | undefined> {
  return index.missed(agent).catch((error: unknown) => {
    if (error instanceof IndexDamaged) return undefined;
    throw error;
  });
}

async function originalProblems(files: StoredFiles, of: DocumentKey, expected: number): Promise<string[]> {
  const size = await files.size(originalKey(of));
  if (size === undefined || size === expected) return [];
  const found = size === 0 ? "is empty" : `is damaged: its size is ${size} bytes`;
  return [`The file of document ${of.document} ${found}, and ${expected} bytes were uploaded.`];
}

/** Reads the whole Document, which also verifies the checksum of each compressed frame. */
async function documentProblems(files: StoredFiles, of: DocumentKey): Promise<string[]> {
  try {
    await readStoredDocument(files, of);
    return [];
  } catch (error) {
    // The document was deleted after it was listed, or its file is already reported as missing.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    const size = await files.size(documentKey(of));
    return [`The stored text of document ${of.document} ${size === 0 ? "is empty" : "is damaged"}.`];
  }
}

function indexProblems(agent: string, states: DocumentState[], indexed: Set<string>): string[] {
  // A document without any text is ready but has no passages, so it is not in the index.
  const expected = new Set(states.filter(({ status, passages }) => status === "ready" && passages).map(({ id }) => id));
  const lacking = [...expected]
    .filter((id) => !indexed.has(id))
    .map((id) => `Document ${id} of agent ${agent} is missing from the index.`);
  const beyond = [...indexed]
    .filter((id) => !expected.has(id))
    .map((id) => `The index contains document ${id} of agent ${agent}, although the document is not ready.`);
  return [...lacking, ...beyond];
}

function jobProblems({ name, due, running, failed }: KindOfJob, served: boolean): string[] {
  return [
    ...(failed > 0 ? [`${failed} ${name} jobs failed and are not retried.`] : []),
    ...(served && due > 0 && running === 0 ? [`${name} jobs are due, but none is running.`] : []),
  ];
}
