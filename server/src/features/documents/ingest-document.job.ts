/**
 * The job that ingests an uploaded document: file → stored Document → passages → index → `ready`.
 * Every step is idempotent. A file that cannot be read gets the status `error` without a retry.
 * After any other error, the job is retried.
 */
import { extensionOf } from "@sheaf/contract/filename.ts";
import type { TemporaryFiles } from "../../files/temporary-files.ts";
import { enqueue } from "../../jobs/queue.ts";
import { type Handler, type Job, ProcessLost, RetryLater, type Write } from "../../jobs/runner.ts";
import { now } from "../../lib/clock.ts";
import type { Page } from "../../reading/document.ts";
import { type ReadableExtension, type Reader, ReadingError, ReadingInterrupted } from "../../reading/reader.ts";
import type { Db } from "../../records/records.ts";
import { passagesOf } from "../../search/passages.ts";
import { changeIndexVersion } from "../agents/agent-lookup.service.ts";
import { emitEvent } from "../webhooks/events.service.ts";
import { documentKey, originalKey } from "./document-files.ts";
import { type DocumentKey, type DocumentRow, findDocument, updatePending } from "./documents.repo.ts";
import { cleanDocument, type DocumentDeps } from "./documents.service.ts";
import { DocumentWriter } from "./stored-document.ts";

export interface IngestDeps extends Omit<DocumentDeps, "wake"> {
  reader: Reader;
  temporaryFiles: TemporaryFiles;
  /** Maximum number of documents that are ingested at the same time. */
  concurrency: number;
}

/** Interval at which the number of processed pages is recorded. */
const progressMs = 1_000;

export function ingestDocumentJob(deps: IngestDeps): Handler<"document.ingest"> {
  const { db } = deps;
  return {
    concurrency: deps.concurrency,
    run: async (job, signal) => {
      const of = keyOf(job);
      const row = await findDocument(db, of);
      if (row === undefined) await cleanDocument(deps, of);
      if (row?.status !== "pending") return undefined;
      try {
        return await ingest(deps, of, row, signal);
      } catch (error) {
        if (error instanceof ReadingInterrupted) throw new ProcessLost(error.message);
        if (!(error instanceof ReadingError)) throw error;
        return failed(of, row, error.reason, error.message);
      }
    },
    onExhausted: async (transaction, job) => {
      const of = keyOf(job);
      const row = await findDocument(transaction, of);
      const message = "The document could not be processed after several attempts.";
      await failed(of, row, "too_complex", message)(transaction);
    },
  };
}

const keyOf = ({ organizationId, payload }: Job<"document.ingest">): DocumentKey => ({ organizationId, ...payload });

async function ingest(deps: IngestDeps, of: DocumentKey, row: DocumentRow, signal: AbortSignal): Promise<Write> {
  const { db, files, index, reader } = deps;
  const gone = new AbortController();
  await using kept = await deps.temporaryFiles.create();
  await using original = await files.local(originalKey(of));
  const writer = new DocumentWriter(kept);
  const pages: Page[] = [];
  const progress = new Progress(db, of, () => gone.abort(new Error("The document was deleted.")));
  const read = await reader.readPages(original.path, extensionOf(row.name) as ReadableExtension, {
    signal: AbortSignal.any([signal, gone.signal]),
    background: true,
    onProgress: (done, all) => progress.report(done, all),
    onPage: async (page) => {
      pages.push(page);
      await writer.page(page);
    },
  });
  await progress.end();
  const rest = { mime: row.mime, metadata: read.metadata, outline: read.outline };
  await writer.end(rest);
  await files.put(documentKey(of), kept.path);
  signal.throwIfAborted();
  const passages = passagesOf({ ...rest, pages }, row);
  const table = await index.put(of.agent, { reference: row.id, name: row.name, path: row.path }, passages);
  const ready = end(of, row, {
    status: "ready",
    pages: read.pages,
    pages_done: read.pages,
    passages: passages.length,
  });
  return async (transaction) => {
    // Also locks the agent. A rebuild replaces the index under the same lock, so the index cannot
    // change between the check and the commit.
    await changeIndexVersion(transaction, of.agent);
    if (passages.length > 0 && !(await index.isCurrent(of.agent, table)))
      throw new RetryLater("The index was rebuilt meanwhile.");
    await ready(transaction);
  };
}

type End = { status: "ready" | "error" } & Parameters<typeof updatePending>[2];

/**
 * Sets the status of a pending document to `ready` or `error`. If the document was uploaded through
 * the API, also emits `document.ingestion_completed`. If the document has failed or has been
 * deleted in the meantime, schedules the clean-up job.
 */
const end =
  (of: DocumentKey, row: DocumentRow | undefined, changes: End): Write =>
  async (transaction: Db) => {
    const { organizationId, agent, document } = of;
    const { status } = changes;
    const ended = await updatePending(transaction, of, { ...changes, updated_at: now() });
    if (!ended || status === "error")
      await enqueue(transaction, "document.clean", { agent, document }, { organizationId });
    if (!ended || row?.channel !== "api") return;
    const { name, path } = row;
    const told = { agent_reference: agent, document_reference: document, status, name, path };
    await emitEvent(transaction, organizationId, "document.ingestion_completed", told);
  };

const failed = (of: DocumentKey, row: DocumentRow | undefined, failure: string, message: string): Write =>
  end(of, row, { status: "error", failure, failure_message: message });

/** Periodically records how many pages have been read. */
class Progress {
  readonly #db: Db;
  readonly #of: DocumentKey;
  readonly #onGone: () => void;
  #writtenAt = performance.now();
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Db, of: DocumentKey, onGone: () => void) {
    this.#db = db;
    this.#of = of;
    this.#onGone = onGone;
  }

  report(done: number, all: number): void {
    if (performance.now() - this.#writtenAt < progressMs) return;
    this.#writtenAt = performance.now();
    this.#writing = this.#writing.then(() => this.#write(done, all)).catch(() => {});
  }

  /** Waits until the last write has ended. */
  end(): Promise<void> {
    return this.#writing;
  }

  async #write(done: number, all: number): Promise<void> {
    if (!(await updatePending(this.#db, this.#of, { pages: all, pages_done: done }))) this.#onGone();
  }
}
