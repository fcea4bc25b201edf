/**
 * The queue of uploads as immutable data: each function returns a new queue. `upload-store.ts`
 * sends the files.
 *
 * States of a file: waiting → sending → done, exists or failed. If the service is busy, the file
 * returns from sending to waiting. A file that the service would refuse is `refused` at once and
 * never sent.
 */
import { type FileFacts, maxDocumentBytes, type Refusal, refusalOf } from "./file-rules.ts";

export type UploadState = "waiting" | "sending" | "done" | "exists" | "failed" | "refused";

/**
 * Error that made an upload fail: returned by the service or, with status 0, without a response.
 */
export interface UploadFailure {
  code: string;
  message: string;
  /** HTTP status; 0 if there was no response. */
  status: number;
  retryAfterSeconds?: number | undefined;
  detail?: unknown;
}

export interface UploadItem extends FileFacts {
  id: number;
  /** Agent reference of the corpus. */
  corpus: string;
  /**
   * Reference of a failed document that this file replaces. That document is deleted before the
   * file is sent.
   */
  replaces?: string | undefined;
  state: UploadState;
  /** Bytes of the file that were sent so far. */
  sent: number;
  /** Number of attempts that failed because the service was busy or could not be reached. */
  attempts: number;
  refusal?: Refusal | undefined;
  /** The size limit in bytes that applied when the file was added. */
  maxBytes?: number | undefined;
  failure?: UploadFailure | undefined;
  /** Reference of the uploaded or existing document, in the states `done` and `exists`. */
  document?: string | undefined;
}

export interface UploadQueue {
  items: readonly UploadItem[];
  /** Who paused the queue: the user, or the application because the session has ended. */
  pausedBy?: "user" | "session" | undefined;
  /**
   * Time before which nothing is sent, in milliseconds since the epoch. It is set when the service
   * is busy.
   */
  resumesAt: number;
  nextId: number;
}

export interface NewUpload extends FileFacts {
  corpus: string;
  replaces?: string | undefined;
}

/**
 * Maximum number of concurrent uploads: enough to hide latency, few enough to leave capacity for
 * other users.
 */
export const concurrentUploads = 4;
/**
 * Maximum number of attempts per file while the service is busy. With the delays between them, all
 * attempts together take about ten minutes.
 */
export const maxAttempts = 12;
const firstDelayMs = 2_000;
const maxDelayMs = 60_000;

export const emptyQueue: UploadQueue = { items: [], resumesAt: 0, nextId: 1 };

/**
 * Adds files at the end. Skips a file if one with the same folder and name is still in the queue.
 */
export function addFiles(queue: UploadQueue, files: readonly NewUpload[], planBytes = maxDocumentBytes): UploadQueue {
  const queued = new Set(queue.items.filter(({ state }) => isOpen(state)).map(placeOf));
  const items = [...queue.items];
  const maxBytes = Math.min(planBytes, maxDocumentBytes);
  let { nextId } = queue;
  for (const file of files) {
    const place = placeOf(file);
    if (queued.has(place)) continue;
    queued.add(place);
    const refusal = refusalOf(file, maxBytes);
    items.push({
      ...file,
      id: nextId++,
      state: refusal ? "refused" : "waiting",
      sent: 0,
      attempts: 0,
      refusal,
      maxBytes,
    });
  }
  return { ...queue, items, nextId };
}

const placeOf = ({ corpus, path, name }: Pick<UploadItem, "corpus" | "path" | "name">) =>
  JSON.stringify([corpus, path, name]);

const isOpen = (state: UploadState): boolean => state === "waiting" || state === "sending";

/** Returns the files that may be sent now, in the order of the queue. */
export function startable(queue: UploadQueue, now: number): UploadItem[] {
  if (queue.pausedBy !== undefined || now < queue.resumesAt) return [];
  const free = concurrentUploads - queue.items.filter(({ state }) => state === "sending").length;
  if (free <= 0) return [];
  return queue.items.filter(({ state }) => state === "waiting").slice(0, free);
}

export const markSending = (queue: UploadQueue, ids: readonly number[]): UploadQueue =>
  change(queue, (item) => ids.includes(item.id), { state: "sending", sent: 0, failure: undefined });

export const recordProgress = (queue: UploadQueue, sentById: ReadonlyMap<number, number>): UploadQueue => ({
  ...queue,
  items: queue.items.map((item) => {
    const sent = sentById.get(item.id);
    return sent === undefined || item.state !== "sending" ? item : { ...item, sent: Math.min(sent, item.size) };
  }),
});

export const markDone = (queue: UploadQueue, id: number, document: string): UploadQueue =>
  changeOne(queue, id, (item) => ({ ...item, state: "done", sent: item.size, document }));

/**
 * Records a failed attempt. If the service is busy, the whole queue waits; otherwise only this file
 * fails.
 */
export function markFailed(queue: UploadQueue, id: number, failure: UploadFailure, now: number): UploadQueue {
  if (failure.code === "unauthorized")
    return { ...changeOne(queue, id, (item) => ({ ...item, state: "waiting", sent: 0 })), pausedBy: "session" };
  if (failure.code === "document_already_exists") {
    const { document_reference: document } = (failure.detail ?? {}) as { document_reference?: string };
    return changeOne(queue, id, (item) => ({ ...item, state: "exists", failure, document }));
  }
  const item = queue.items.find((each) => each.id === id);
  if (item === undefined) return queue;
  const attempts = item.attempts + 1;
  if (!isTemporary(failure) || attempts >= maxAttempts)
    return changeOne(queue, id, () => ({ ...item, state: "failed", attempts, failure }));
  const delayMs = Math.max(
    (failure.retryAfterSeconds ?? 0) * 1_000,
    Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs),
  );
  const waiting = changeOne(queue, id, () => ({ ...item, state: "waiting", sent: 0, attempts, failure }));
  return { ...waiting, resumesAt: Math.max(queue.resumesAt, now + delayMs) };
}

const isTemporary = ({ code, status }: UploadFailure): boolean =>
  status === 429 || status === 503 || code === "connection_failed";

export const pause = (queue: UploadQueue): UploadQueue => ({ ...queue, pausedBy: "user" });

export const resume = (queue: UploadQueue): UploadQueue => ({ ...queue, pausedBy: undefined, resumesAt: 0 });

/** Puts failed files back into the queue: all of them, or the one with the given id. */
export const retryFailed = (queue: UploadQueue, id?: number): UploadQueue =>
  resume(
    change(queue, (item) => item.state === "failed" && (id === undefined || item.id === id), {
      state: "waiting",
      sent: 0,
      attempts: 0,
      failure: undefined,
    }),
  );

/**
 * Removes unfinished uploads from the queue: either all uploads to one corpus, or a single upload.
 */
export const cancel = (queue: UploadQueue, which: { corpus: string } | { id: number }): UploadQueue => ({
  ...queue,
  items: queue.items.filter((item) => {
    const isMeant = "id" in which ? item.id === which.id : item.corpus === which.corpus;
    return !(isMeant && isOpen(item.state));
  }),
});

/** Removes finished files, including failed and refused ones. */
export const clearFinished = (queue: UploadQueue, corpus: string): UploadQueue => ({
  ...queue,
  items: queue.items.filter((item) => item.corpus !== corpus || isOpen(item.state)),
});

export interface UploadTotals {
  files: number;
  open: number;
  done: number;
  exists: number;
  failed: number;
  refused: number;
  /** Total size in bytes of all files except refused ones. */
  bytes: number;
  sentBytes: number;
}

export function totalsOf(items: readonly UploadItem[]): UploadTotals {
  const totals = { files: items.length, open: 0, done: 0, exists: 0, failed: 0, refused: 0, bytes: 0, sentBytes: 0 };
  for (const { state, size, sent } of items) {
    if (isOpen(state)) totals.open++;
    else totals[state as "done" | "exists" | "failed" | "refused"]++;
    if (state === "refused") continue;
    totals.bytes += size;
    totals.sentBytes += isOpen(state) ? sent : size;
  }
  return totals;
}

export const isUnfinished = ({ state }: UploadItem): boolean => isOpen(state);

/** Returns true if leaving the page would abort uploads. */
export const hasOpenUploads = (queue: UploadQueue): boolean => queue.items.some(isUnfinished);

const change = (queue: UploadQueue, applies: (item: UploadItem) => boolean, to: Partial<UploadItem>): UploadQueue => ({
  ...queue,
  items: queue.items.map((item) => (applies(item) ? { ...item, ...to } : item)),
});

const changeOne = (queue: UploadQueue, id: number, to: (item: UploadItem) => UploadItem): UploadQueue => ({
  ...queue,
  items: queue.items.map((item) => (item.id === id ? to(item) : item)),
});
