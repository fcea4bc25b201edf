/** Runs an extractor on many files, a few at a time. Continues while other screens are shown. */
import { useSyncExternalStore } from "react";

export interface QueuedFile {
  readonly id: number;
  readonly file: File;
  readonly state: "waiting" | "running" | "done" | "failed";
  /** Id of the extraction; undefined until it is done, or if the service does not keep it. */
  readonly extractionId?: string | undefined;
  readonly error?: unknown;
}

/** Maximum number of concurrent requests. */
const concurrency = 3;

type RunFile = (file: File) => Promise<string | undefined>;

export class UploadQueue {
  #files: readonly QueuedFile[] = [];
  #lastId = 0;
  readonly #run: RunFile;
  readonly #listeners = new Set<() => void>();

  /** @param run reads one file and returns the id of the kept extraction */
  constructor(run: RunFile) {
    this.#run = run;
  }

  readonly files = (): readonly QueuedFile[] => this.#files;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(files: readonly File[]): void {
    this.#set([...this.#files, ...files.map((file) => ({ id: ++this.#lastId, file, state: "waiting" as const }))]);
    this.#startNext();
  }

  retry(id: number): void {
    const entry = this.#files.find((each) => each.id === id);
    if (entry?.state !== "failed") return;
    this.#change(id, { state: "waiting", error: undefined });
    this.#startNext();
  }

  /** Removes all files from the list, except those that are being read. */
  clear(): void {
    this.#set(this.#files.filter(({ state }) => state === "running"));
  }

  get isBusy(): boolean {
    return this.#files.some(({ state }) => state === "waiting" || state === "running");
  }

  #startNext(): void {
    const running = this.#files.filter(({ state }) => state === "running").length;
    const next = this.#files.filter(({ state }) => state === "waiting").slice(0, concurrency - running);
    for (const { id, file } of next) {
      this.#change(id, { state: "running" });
      void this.#read(id, file);
    }
  }

  async #read(id: number, file: File): Promise<void> {
    try {
      this.#change(id, { state: "done", extractionId: await this.#run(file) });
    } catch (error) {
      this.#change(id, { state: "failed", error });
    }
    this.#startNext();
  }

  #change(id: number, changes: Partial<QueuedFile>): void {
    this.#set(this.#files.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  }

  #set(files: readonly QueuedFile[]): void {
    this.#files = files;
    for (const listener of this.#listeners) listener();
  }
}

const queues = new Map<string, UploadQueue>();

/** Returns the queue of an extractor. It exists independently of the screen. */
export function queueOf(reference: string, run: RunFile): UploadQueue {
  const queue = queues.get(reference) ?? new UploadQueue(run);
  queues.set(reference, queue);
  return queue;
}

export const useQueuedFiles = (queue: UploadQueue): readonly QueuedFile[] =>
  useSyncExternalStore(queue.subscribe, queue.files);
