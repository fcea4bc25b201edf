/**
 * Names the tables in the index folder. A new table is built beside the old table and replaces it
 * by a rename. Each table of an agent has a generation number. The table with the highest number is
 * the current table. Older tables may remain after a crash.
 */
import { readdirSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncPath } from "../lib/sync-path.ts";

/**
 * For this time after a change of a folder, in milliseconds, another change may leave the
 * modification time the same. The reason is that file systems record times with a precision of 2 s
 * or better.
 */
export const settledMs = 2_500;

const ending = ".lance";
const tablePattern = /^agent-([\w-]{1,100})(?:\.(\d{1,9}))?\.lance$/;

export class TableNames {
  readonly #folder: string;
  /** For each agent, the generation numbers of its tables when the folder was last read. */
  #generations = new Map<string, number[]>();
  /**
   * Modification time of the folder when it was last read. Undefined if this time is so recent that
   * the folder may change again without getting a new modification time.
   */
  #seenNs: bigint | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the name of the agent's table, which may not exist yet. */
  current(agent: string): string {
    return tableName(agent, this.#of(agent).at(-1) ?? 0);
  }

  exists(agent: string): boolean {
    return this.#of(agent).length > 0;
  }

  /**
   * Makes `built` the agent's table, atomically for all processes, and removes the earlier tables.
   * If `built` is undefined, the agent has no table afterwards.
   */
  async replace(agent: string, built: string | undefined): Promise<void> {
    const before = this.#of(agent);
    if (built !== undefined) {
      const name = tableName(agent, (before.at(-1) ?? 0) + 1);
      await rename(this.folderOf(built), this.folderOf(name));
    }
    await syncPath(this.#folder);
    this.#seenNs = undefined;
    for (const generation of before) await this.#remove(tableName(agent, generation));
  }

  /** Removes every table of the agent. */
  async drop(agent: string): Promise<void> {
    for (const generation of this.#of(agent)) await this.#remove(tableName(agent, generation));
    this.#seenNs = undefined;
  }

  /** Removes the tables that unfinished builds have left behind. */
  async removeUnfinished(): Promise<void> {
    for (const name of readdirSync(this.#folder))
      if (name.startsWith(buildingPrefix)) await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  folderOf(table: string): string {
    return join(this.#folder, `${table}${ending}`);
  }

  /** Retries, because another process may add a file during the removal. */
  async #remove(table: string): Promise<void> {
    await rm(this.folderOf(table), { recursive: true, force: true, maxRetries: 5 });
  }

  #of(agent: string): number[] {
    if (!/^[\w-]{1,100}$/.test(agent)) throw new TypeError(`"${agent}" is not the reference of an agent`);
    const changedNs = statSync(this.#folder, { bigint: true }).mtimeNs;
    if (changedNs !== this.#seenNs) {
      this.#generations = this.#read();
      const isSettled = Date.now() - Number(changedNs / 1_000_000n) > settledMs;
      this.#seenNs = isSettled ? changedNs : undefined;
    }
    return this.#generations.get(agent) ?? [];
  }

  #read(): Map<string, number[]> {
    const generations = new Map<string, number[]>();
    for (const name of readdirSync(this.#folder)) {
      const [, agent, generation = "0"] = tablePattern.exec(name) ?? [];
      if (agent !== undefined) generations.set(agent, [...(generations.get(agent) ?? []), Number(generation)]);
    }
    for (const all of generations.values()) all.sort((a, b) => a - b);
    return generations;
  }
}

/** Returns the agents that have a table in the index folder. */
export const agentsWithTables = (folder: string): Set<string> =>
  new Set(readdirSync(folder).flatMap((name) => tablePattern.exec(name)?.[1] ?? []));

const buildingPrefix = "building-";

/** Returns the name of a table that is being built for an agent. */
export const buildingName = (agent: string, id: string): string => `${buildingPrefix}${agent}.${id}`;

const tableName = (agent: string, generation: number): string =>
  generation === 0 ? `agent-${agent}` : `agent-${agent}.${generation}`;
