/**
 * Sends the files of the upload queue. It keeps running when another screen is shown, so that the
 * user can work meanwhile.
 */
import { msg } from "@lingui/core/macro";
import { SheafError, SheafSessionClient } from "@sheaf/client";
import { useSyncExternalStore } from "react";
import { sheaf } from "../../app/api.ts";
import { i18n } from "../../app/language.ts";
import { queryClient, sessionQuery } from "../../app/queries.ts";
import { type RunningUploads, showUploads } from "../../app/upload-indicator.tsx";
import { notify } from "../../ui/notifications.tsx";
import { progressFetch } from "./progress-fetch.ts";
import { documentsQuery } from "./queries.ts";
import * as queues from "./upload-queue.ts";

export interface FileToUpload {
  file: File;
  path: string;
  /**
   * Name for the document, if it differs from the file's name because the file replaces a document.
   */
  name?: string;
  replaces?: string;
}

let queue = queues.emptyQueue;
/**
 * The files of unfinished uploads. A `File` is only a handle, so their contents are not in memory.
 */
const files = new Map<number, File>();
const aborts = new Map<number, AbortController>();
/** Bytes sent so far, for each file that made progress since the last update of the queue. */
const progress = new Map<number, number>();
const listeners = new Set<() => void>();
let wakeTimer: ReturnType<typeof setTimeout> | undefined;
/** Id of the user and organization that the queue belongs to. */
let owner: string | undefined;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useUploads = (): queues.UploadQueue => useSyncExternalStore(subscribe, () => queue);

export function addUploads(corpus: string, added: readonly FileToUpload[], maxBytes?: number): void {
  owner ??= ownerOfSession();
  const fresh = added.map(({ file, path, name = file.name, replaces }) => ({
    corpus,
    path,
    name: name.normalize("NFC"),
    size: file.size,
    replaces,
  }));
  const before = queue.nextId;
  const next = queues.addFiles(queue, fresh, maxBytes);
  const byPlace = new Map(fresh.map((each, index) => [`${each.path}/${each.name}`, added[index]?.file]));
  for (const item of next.items) {
    const file = item.id >= before && item.state === "waiting" ? byPlace.get(`${item.path}/${item.name}`) : undefined;
    if (file) files.set(item.id, file);
  }
  update(next);
}

export const pauseUploads = () => update(queues.pause(queue));
export const resumeUploads = () => update(queues.resume(queue));
export const retryUploads = (id?: number) => update(queues.retryFailed(queue, id));
export const clearUploads = (corpus: string) => update(queues.clearFinished(queue, corpus));

export function cancelUploads(which: { corpus: string } | { id: number }): void {
  const next = queues.cancel(queue, which);
  const kept = new Set(next.items.map(({ id }) => id));
  for (const { id } of queue.items)
    if (!kept.has(id)) {
      aborts.get(id)?.abort();
      files.delete(id);
    }
  update(next);
}

function update(next: queues.UploadQueue): void {
  queue = next;
  if (!queues.hasOpenUploads(queue)) owner = undefined;
  showUploads(runningUploads());
  for (const listener of listeners) listener();
  start();
}

function runningUploads(): RunningUploads | undefined {
  const { open, files } = queues.totalsOf(queue.items);
  const first = queue.items.find(queues.isUnfinished);
  return first && { corpus: first.corpus, files, left: open, isPaused: queue.pausedBy !== undefined };
}

function start(): void {
  const now = Date.now();
  clearTimeout(wakeTimer);
  if (queue.resumesAt > now && queue.pausedBy === undefined)
    wakeTimer = setTimeout(() => update(queue), queue.resumesAt - now);
  const items = queues.startable(queue, now);
  if (items.length === 0) return;
  queue = queues.markSending(
    queue,
    items.map(({ id }) => id),
  );
  for (const listener of listeners) listener();
  for (const item of items) void send(item);
}

async function send(item: queues.UploadItem): Promise<void> {
  const { id, corpus, name, path, replaces } = item;
  const file = files.get(id);
  if (file === undefined) return;
  const controller = new AbortController();
  aborts.set(id, controller);
  const { signal } = controller;
  try {
    if (replaces !== undefined) await deleteIfThere(corpus, replaces, signal);
    const { data } = await uploadClient(id).uploadDocument(
      corpus,
      { file, filename: name, ...(path === "" ? {} : { path }) },
      // Each attempt for a file sends the same idempotency key, so that the document is not added
      // twice if a response was lost.
      { signal, idempotencyKey: keyOf(file, id), timeoutMs: Number.POSITIVE_INFINITY },
    );
    files.delete(id);
    update(queues.markDone(queue, id, data.document_reference));
    refreshDocuments(corpus);
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf(error);
    update(queues.markFailed(queue, id, failure, Date.now()));
    if (failure.code === "unauthorized") queryClient.setQueryData(sessionQuery.queryKey, null);
  } finally {
    aborts.delete(id);
    progress.delete(id);
  }
}

async function deleteIfThere(corpus: string, document: string, signal: AbortSignal): Promise<void> {
  try {
    await sheaf.deleteDocument(corpus, document, { signal });
  } catch (error) {
    if (!(error instanceof SheafError && error.code === "document_not_found")) throw error;
  }
}

/**
 * Returns a client that does not retry by itself, because the queue decides when files are sent
 * again.
 */
const uploadClient = (id: number) =>
  new SheafSessionClient({
    baseUrl: location.origin,
    retries: 0,
    fetch: progressFetch((sent, total) => {
      // The body consists almost entirely of the file, so the sent fraction of the body
      // approximates the sent fraction of the file.
      const size = queue.items.find((item) => item.id === id)?.size ?? 0;
      progress.set(id, total === 0 ? 0 : Math.floor((sent / total) * size));
      scheduleProgress();
    }),
  });

let progressTimer: ReturnType<typeof setTimeout> | undefined;

/** Updates the progress at most five times per second, no matter how many events arrive. */
function scheduleProgress(): void {
  if (progressTimer !== undefined) return;
  progressTimer = setTimeout(() => {
    progressTimer = undefined;
    const sent = new Map(progress);
    progress.clear();
    queue = queues.recordProgress(queue, sent);
    for (const listener of listeners) listener();
  }, 200);
}

const keys = new WeakMap<File, { id: number; key: string }>();

function keyOf(file: File, id: number): string {
  const known = keys.get(file);
  if (known?.id === id) return known.key;
  const key = crypto.randomUUID();
  keys.set(file, { id, key });
  return key;
}

function failureOf(error: unknown): queues.UploadFailure {
  if (error instanceof SheafError) {
    const { code, message, status, retryAfterSeconds, detail } = error;
    return { code, message, status, retryAfterSeconds, detail };
  }
  // The browser cannot read a file that was moved, changed or locked after it was chosen.
  return { code: "unreadable_file", message: String(error), status: 0 };
}

let refreshTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reloads the list of documents after a short delay, so that several uploads cause only one reload.
 */
function refreshDocuments(corpus: string): void {
  if (refreshTimer !== undefined) return;
  refreshTimer = setTimeout(() => {
    refreshTimer = undefined;
    void queryClient.invalidateQueries({ queryKey: documentsQuery(corpus).queryKey });
  }, 1_500);
}

function ownerOfSession(): string | undefined {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return session ? `${session.user.id} ${session.organization_id}` : undefined;
}

/**
 * Continues the queue when the same user has signed in again. Discards the queue if another user
 * has signed in.
 */
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== "updated" || query.queryKey[0] !== "session" || owner === undefined) return;
  const current = ownerOfSession();
  if (current === undefined) return;
  if (current !== owner) {
    for (const { id } of queue.items) aborts.get(id)?.abort();
    files.clear();
    update(queues.emptyQueue);
    notify(i18n._(msg`The uploads were cancelled because you changed the organization or the user.`), "error");
  } else if (queue.pausedBy === "session") resumeUploads();
});

addEventListener("beforeunload", (event) => {
  if (queues.hasOpenUploads(queue)) event.preventDefault();
});
