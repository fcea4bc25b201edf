/**
 * A copy of the search index in a local folder. With PostgreSQL, any number of processes may serve
 * one installation, each with its own copy. The database determines what the copy must contain.
 * Before an agent's index is used, documents that have become ready since the last update are added
 * to the copy, and deleted documents are removed. A copy that is new, empty or damaged is built
 * from the stored Documents.
 */
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StoredFiles } from "../../files/stored-files.ts";
import { DatabaseUnavailable } from "../../lib/database-unavailable.ts";
import { type FileLock, tryLock } from "../../lib/file-lock.ts";
import { isFilesUnavailable } from "../../lib/files-unavailable.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { IndexDamaged, IndexIncomplete } from "../../search/index-damaged.ts";
import { versionsKeptMs } from "../../search/index-version.ts";
import type { PassageIndex } from "../../search/passage-index.ts";
import { passagesOf } from "../../search/passages.ts";
import { agentsWithTables } from "../../search/table-names.ts";
import { findOrganizationOfAgent, listAllDocumentalists, listIndexVersions } from "../agents/agent-lookup.service.ts";
import { readStoredDocument } from "./document-files.ts";
import { listIndexed, listStatesOf } from "./documents.repo.ts";
import { rebuildIndex } from "./rebuild-index.ts";

export interface IndexCopyDeps {
  db: Db;
  files: StoredFiles;
  log: Logger;
  /** The index in the folder. It is closed together with the copy. */
  index: PassageIndex;
  folder: string;
  /** True if the copy is kept up to date even while no questions are asked. */
  follows: boolean;
}

/**
 * Maximum number of missing documents that are added while a question waits. Adding a document
 * takes about 10 ms. If more documents are missing, the index is built in the background. Chosen by
 * hand, 2026-11.
 */
const maxAddedAtOnce = 50;
/** Maximum number of documents per database query. */
const maxListed = 1_000;
/** Interval between two checks for changes, in milliseconds. Chosen by hand, 2026-11. */
const followMs = 2_000;
/** Interval between two attempts to lock the folder, in milliseconds. Chosen by hand, 2026-11. */
const lockedMs = 50;
/**
 * Delay of a purge, in milliseconds. Documents are often deleted one after another, and each purge
 * rewrites the index, so one purge should handle several deletions.
 */
const purgeDelayMs = 20_000;
/**
 * Delay until previous versions of the index files are removed, in milliseconds. After this delay,
 * no reader uses them any more.
 */
const afterVersionsMs = versionsKeptMs + 5_000;

export class IndexCopy implements PassageIndex {
  readonly #deps: IndexCopyDeps;
  readonly #index: PassageIndex;
  /** Maps each agent id to the `index_version` that the copy has reached. */
  readonly #versions = new Map<string, number>();
  /** Maps each agent id to its update in progress. */
  readonly #updates = new Map<string, Promise<void>>();
  readonly #builds = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  readonly #following: Promise<void>;

  constructor(deps: IndexCopyDeps) {
    this.#deps = deps;
    this.#index = deps.index;
    this.#following = deps.follows ? this.#follow() : Promise.resolve();
  }

  /** Called if files of the agent's index cannot be read. Builds the index again. */
  repair(agent: string): void {
    void this.#build(agent);
  }

  put(...args: Parameters<PassageIndex["put"]>): Promise<string> {
    return this.#index.put(...args);
  }

  isCurrent(agent: string, table: string): Promise<boolean> {
    return this.#index.isCurrent(agent, table);
  }

  async remove(agent: string, document: string): Promise<void> {
    await this.#index.remove(agent, document);
    await this.#purgeLater(agent);
  }

  removeAgent(agent: string): Promise<void> {
    this.#versions.delete(agent);
    return this.#index.removeAgent(agent);
  }

  /** Does nothing: each copy purges its own files after it has removed documents. */
  async purge(): Promise<void> {}

  async search(...[agent, query]: Parameters<PassageIndex["search"]>) {
    await this.#update([agent]);
    return this.#index.search(agent, query);
  }

  async searchAll(...[agents, query]: Parameters<PassageIndex["searchAll"]>) {
    await this.#update(agents);
    return this.#index.searchAll(agents, query);
  }

  async documents(agent: string) {
    await this.#update([agent]);
    return this.#index.documents(agent);
  }

  async passages(agent: string, document: string) {
    await this.#update([agent]);
    return this.#index.passages(agent, document);
  }

  async missed(agent: string) {
    await this.#update([agent]);
    return this.#index.missed(agent);
  }

  rebuild(...args: Parameters<PassageIndex["rebuild"]>) {
    return this.#index.rebuild(...args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#following;
    await Promise.allSettled([...this.#updates.values(), ...this.#builds.values()]);
    await this.#index[Symbol.asyncDispose]();
  }

  /**
   * Updates the copy, so that it contains all documents of the given agents that are ready now.
   * @throws IndexIncomplete if too many documents are missing from the copy
   */
  async #update(agents: readonly string[]): Promise<void> {
    for (;;) {
      const versions = await listIndexVersions(this.#deps.db, agents);
      const behind = versions.filter(({ id, index_version }) => (this.#versions.get(id) ?? -1) < index_version);
      if (behind.length === 0) return;
      // An update that was already running may miss the latest changes, so versions are compared
      // again.
      await Promise.all(behind.map(({ id }) => this.#updateOnce(id)));
    }
  }

  #updateOnce(agent: string): Promise<void> {
    const running = this.#updates.get(agent);
    if (running) return running;
    const update = this.#catchUp(agent)
      .catch((error: unknown) => this.#incomplete(agent, error))
      .finally(() => this.#updates.delete(agent));
    this.#updates.set(agent, update);
    return update;
  }

  /**
   * Converts a write error, such as a full disk, to IndexIncomplete. Questions then get 503 instead
   * of an answer that ignores the documents missing from the index.
   */
  #incomplete(agent: string, error: unknown): never {
    const isKnown = error instanceof IndexDamaged || isFilesUnavailable(error) || error instanceof DatabaseUnavailable;
    if (isKnown || this.#closing.signal.aborted) throw error;
    this.#deps.log.warn({ err: error, agent }, "documents could not be added to the search index");
    throw new IndexIncomplete(agent, { cause: error });
  }

  async #catchUp(agent: string): Promise<void> {
    const { db } = this.#deps;
    if (this.#builds.has(agent)) throw new IndexIncomplete(agent);
    using _lock = await this.#lock();
    // The version is read first, so that the next update finds any changes made during this one.
    const [current] = await listIndexVersions(db, [agent]);
    if (current === undefined) return;
    const expected = new Set(await listIndexed(db, agent));
    const held = agentsWithTables(this.#deps.folder).has(agent)
      ? await this.#index.documents(agent)
      : new Set<string>();
    const lacking = [...expected].filter((document) => !held.has(document));
    if (lacking.length > maxAddedAtOnce) {
      void this.#build(agent);
      throw new IndexIncomplete(agent);
    }
    for (const document of lacking) await this.#add(agent, document);
    await this.#removeGone(
      agent,
      [...held].filter((document) => !expected.has(document)),
    );
    this.#versions.set(agent, current.index_version);
  }

  async #add(agent: string, document: string): Promise<void> {
    const { db, files, log } = this.#deps;
    const [row] = await listStatesOf(db, agent, [document]);
    if (row?.status !== "ready") return;
    const { organization_id: organizationId, name, path } = row;
    let passages: ReturnType<typeof passagesOf>;
    try {
      passages = passagesOf(await readStoredDocument(files, { organizationId, agent, document }), { name, path });
    } catch (error) {
      if (isFilesUnavailable(error)) throw error;
      if ((await listStatesOf(db, agent, [document])).length > 0)
        log.error({ err: error, agent, document }, "a stored document cannot be read, so it is missing from the index");
      return;
    }
    await this.#index.put(agent, { reference: document, name, path }, passages);
  }

  /**
   * Removes the given documents from the copy, except those that are being ingested and may still
   * become ready.
   */
  async #removeGone(agent: string, documents: readonly string[]): Promise<void> {
    for (let at = 0; at < documents.length; at += maxListed) {
      const some = documents.slice(at, at + maxListed);
      const rows = await listStatesOf(this.#deps.db, agent, some);
      const kept = new Set(rows.filter(({ status }) => status !== "error").map(({ id }) => id));
      for (const document of some) if (!kept.has(document)) await this.remove(agent, document);
    }
  }

  /** Builds the agent's index in the background from the stored Documents. */
  #build(agent: string): Promise<void> {
    const building = this.#builds.get(agent) ?? this.#buildOnce(agent).finally(() => this.#builds.delete(agent));
    this.#builds.set(agent, building);
    return building;
  }

  async #buildOnce(agent: string): Promise<void> {
    const { db, files, log } = this.#deps;
    const { signal } = this.#closing;
    try {
      const organizationId = await findOrganizationOfAgent(db, agent);
      if (organizationId === undefined) return;
      for (;;) {
        const built = await rebuildIndex({ db, files, index: this.#index }, { organizationId, agent }, { signal });
        if (built) {
          log.info({ agent, documents: built.indexed, failed: built.failed.length }, "the copy of an index was built");
          return;
        }
        // Another index in this folder is being built. Only one index is built at a time, so this
        // build waits.
        await delay(followMs, undefined, { signal });
      }
    } catch (error) {
      if (!signal.aborted)
        log.error({ err: error, agent }, "the copy of an index could not be built; the build will be retried");
    }
  }

  /** Locks the folder, so that two processes that share it do not add the same documents. */
  async #lock(): Promise<Disposable> {
    const path = join(this.#deps.folder, "copy.lock");
    let lock: FileLock | undefined;
    for (lock = tryLock(path); lock === undefined; lock = tryLock(path)) {
      this.#closing.signal.throwIfAborted();
      await delay(lockedMs);
    }
    const { release } = lock;
    return { [Symbol.dispose]: release };
  }

  async #follow(): Promise<void> {
    const { log } = this.#deps;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#followAll();
        await this.#purgeDue();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, "the copy of the search index could not be updated");
      }
      await delay(followMs, undefined, { signal }).catch(() => {});
    }
  }

  async #followAll(): Promise<void> {
    const { db, folder, log } = this.#deps;
    // Lists the tables before the agents, so that the table of a new agent is not mistaken for that
    // of a deleted one.
    const withTables = agentsWithTables(folder);
    const agents = await listAllDocumentalists(db);
    const existing = new Set(agents.map(({ id }) => id));
    for (const agent of withTables) if (!existing.has(agent)) await this.removeAgent(agent);
    for (const { id: agent, index_version: version } of agents) {
      if (this.#closing.signal.aborted) return;
      if (this.#versions.get(agent) === version) continue;
      await this.#update([agent]).catch(async (error: unknown) => {
        // Waits for the build in the background, so that only one index is built at a time.
        if (error instanceof IndexIncomplete) await this.#builds.get(agent);
        else if (!(error instanceof IndexDamaged)) log.warn({ err: error, agent }, "the copy of an index is behind");
      });
    }
  }

  /**
   * Schedules a purge that removes deleted text from the index files. A marker file in the folder
   * records the schedule, so that the purge happens even after a crash.
   */
  async #purgeLater(agent: string): Promise<void> {
    await writeFile(this.#markOf(agent, "rows"), "");
  }

  async #purgeDue(): Promise<void> {
    const { folder } = this.#deps;
    for (const name of await readdir(folder)) {
      const [, agent, what] = /^([\w-]+)\.(rows|versions)\.purge$/.exec(name) ?? [];
      if (agent === undefined) continue;
      const path = join(folder, name);
      const written = await stat(path).catch(() => undefined);
      const ageMs = written === undefined ? 0 : Date.now() - written.mtimeMs;
      if (what === "versions") {
        if (ageMs < afterVersionsMs) continue;
        await this.#index.purge(agent, "versions");
        await rm(path, { force: true });
      } else if (ageMs >= purgeDelayMs) {
        await this.#index.purge(agent, "rows");
        await rename(path, this.#markOf(agent, "versions"));
        await writeFile(this.#markOf(agent, "versions"), "");
      }
    }
  }

  #markOf(agent: string, what: "rows" | "versions"): string {
    return join(this.#deps.folder, `${agent}.${what}.purge`);
  }
}
