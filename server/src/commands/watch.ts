/**
 * `sheaf watch`: sends each new file of a folder to a running service, stores the result as JSON,
 * and moves the file out of the folder. Can be killed and started again at any time: the state is
 * in the folders, and idempotency keys prevent the service from processing a file twice.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { documentExtensions, extractionExtensions } from "@sheaf/contract/limits.ts";
import { tryLock } from "../lib/file-lock.ts";
import { type Outcome, OutcomeFolder, type Source } from "./watch-outcomes.ts";
import { type WatchedFile, WatchedFolder } from "./watched-folder.ts";
import { UnusableServiceError, WatchedService } from "./watched-service.ts";

export interface WatchOptions {
  agent: string;
  corpus: boolean;
  evidence: boolean;
  done?: string;
  failed?: string;
  url?: string;
}

/** Polling interval of the folder, in milliseconds. */
const scanMs = 500;
/**
 * Maximum number of files processed at the same time. The service could queue more, but should stay
 * available to other clients.
 */
const maxAtOnce = 4;
/** Delay before a file that could not be read or moved is retried, in milliseconds. */
const retryMs = 30_000;

/** Runs until SIGINT or SIGTERM, or until the service reports an error that concerns all files. */
export async function watch(folder: string, options: WatchOptions): Promise<void> {
  const { agent, corpus, evidence, url = process.env.SHEAF_URL } = options;
  if (url === undefined) throw new Error("Set the URL of the service with --url or SHEAF_URL.");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const say = (message: string) => console.error(`sheaf: ${message}`);
  const service = new WatchedService({ url, agent, corpus, evidence, signal: stop.signal, say });
  const watched = await realpath(folder);
  const [done, failed] = await Promise.all([
    folderBeside(watched, options.done ?? join(watched, "done")),
    folderBeside(watched, options.failed ?? join(watched, "failed")),
  ]);
  const lock = tryLock(join(watched, ".sheaf-watch.lock"));
  if (lock === undefined) throw new Error(`Another process watches ${folder}.`);
  try {
    const outcomes = { success: new OutcomeFolder(done), error: new OutcomeFolder(failed) };
    await Promise.all([outcomes.success.prepare(), outcomes.error.prepare()]);
    await service.check();
    console.log(`Watching ${folder}. Files go to ${done} or ${failed}, each with its result.`);
    const extensions = corpus ? documentExtensions : extractionExtensions;
    const onSkipped = (name: string) => say(`${name} stays: only ${extensions.join(", ")} files are sent.`);
    const files = new WatchedFolder(watched, extensions, onSkipped);
    await new Watcher({ files, service, outcomes, task: corpus ? "corpus" : `extract ${evidence}`, agent, say }).run(
      stop,
    );
  } catch (error) {
    if (!stop.signal.aborted || error instanceof UnusableServiceError) throw error;
  } finally {
    lock.release();
  }
}

/** Creates the folder into which processed files are moved. Returns its absolute path. */
async function folderBeside(watched: string, path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  const folder = await realpath(resolve(path));
  if (relative(watched, folder) === "") throw new Error(`${path} is the watched folder: choose another one.`);
  return folder;
}

interface WatcherParts {
  files: WatchedFolder;
  service: WatchedService;
  outcomes: Record<Outcome["status"], OutcomeFolder>;
  agent: string;
  /** Settings with which each file is processed. They are part of its idempotency key. */
  task: string;
  say: (message: string) => void;
}

class Watcher {
  readonly #parts: WatcherParts;
  /** Files being processed, by id. */
  readonly #active = new Map<string, Promise<void>>();
  /** Earliest time at which a file is retried, by the id of the file. */
  readonly #pausedUntil = new Map<string, number>();

  constructor(parts: WatcherParts) {
    this.#parts = parts;
  }

  async run(stop: AbortController): Promise<void> {
    let problem: unknown;
    while (!stop.signal.aborted) {
      for (const file of await this.#parts.files.complete()) {
        if (this.#active.size >= maxAtOnce) break;
        if (this.#active.has(file.id) || performance.now() < (this.#pausedUntil.get(file.id) ?? 0)) continue;
        const work = this.#process(file)
          .catch((error: unknown) => {
            if (stop.signal.aborted) return;
            if (error instanceof UnusableServiceError) {
              problem = error;
              stop.abort();
            } else this.#postpone(file, error);
          })
          .finally(() => this.#active.delete(file.id));
        this.#active.set(file.id, work);
      }
      await sleep(scanMs, undefined, { signal: stop.signal }).catch(() => {});
    }
    await Promise.all(this.#active.values());
    if (problem !== undefined) throw problem;
  }

  #postpone({ id, name }: WatchedFile, error: unknown): void {
    this.#pausedUntil.set(id, performance.now() + retryMs);
    const reason = error instanceof Error ? error.message : String(error);
    this.#parts.say(`${name}: ${reason} Retrying in ${retryMs / 1000} s.`);
  }

  async #process(file: WatchedFile): Promise<void> {
    const { files, service, outcomes, say } = this.#parts;
    const sha256 = await digestOf(file.path);
    const before = sourceOf(file, sha256);
    for (const folder of [outcomes.success, outcomes.error]) if (await folder.finish(file, before)) return;
    const earlier = await outcomes.error.earlierResult(before);
    const outcome = await service
      .process({ path: file.path, filename: file.name }, (...of) => this.#keyFor(before, [earlier ?? "", ...of]))
      .catch(async (error: unknown) => {
        // Ignores the error if the file was renamed before it was sent: the next poll finds it
        // under its new name.
        if ((await files.find(file))?.path === file.path) throw error;
      });
    if (outcome === undefined) return;
    const now = await files.find(file);
    if (now === undefined) return say(`${file.name} was removed while it was processed: its result is not stored.`);
    if (now.version !== file.version) return say(`${now.name} was changed while it was processed: it is sent again.`);
    const name = await outcomes[outcome.status].store(now, sourceOf(now, sha256), outcome);
    if (outcome.status === "success") console.log(`${name}: done`);
    else say(`${name}: failed: ${outcome.error} (${outcome.code})`);
  }

  /**
   * Returns the idempotency key of a file. It is the same after a restart. A file that failed and
   * was put back has a different key, so that the service does not return the old result.
   */
  #keyFor({ name, sha256 }: Source, of: readonly string[]): string {
    const { agent, task } = this.#parts;
    const parts = [agent, task, name, sha256, ...of];
    return `watch-${createHash("sha256").update(JSON.stringify(parts)).digest("hex")}`;
  }
}

const sourceOf = ({ name, size, changed }: WatchedFile, sha256: string): Source => ({ name, size, sha256, changed });

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
