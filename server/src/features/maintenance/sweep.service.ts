/**
 * Sweeps stray files, which have no row in the database. Stray files that are old enough are moved
 * to the trash, and restored automatically if a row for them appears. If a sweep would move many
 * files, it moves none and waits for the operator. So many files without rows usually mean that the
 * configured database is the wrong one.
 */
import type { StoredFile, StoredFiles } from "../../files/stored-files.ts";
import { listPayloads } from "../../jobs/queue.ts";
import { newerMigrations } from "../../records/migrate.ts";
import type { Db } from "../../records/records.ts";
import { findStrays as findStraysOfDocuments, takeStray } from "../documents/documents.service.ts";
import {
  findStrays as findStraysOfClassifications,
  isKeptClassificationFile,
} from "../kept-classifications/kept-classifications.service.ts";
import { findStrays as findStraysOfExtractions, isKeptFile } from "../kept-extractions/kept-extractions.service.ts";
import { findStrays as findStraysOfOperations, isOperationFile } from "../operations/operations.service.ts";

const dayMs = 86_400_000;
/**
 * Minimum age of a swept file: far longer than the time between storing a file and inserting its
 * row.
 */
const minAgeMs = dayMs;
/**
 * Without the operator's confirmation, the trash may contain at most this share of all stored
 * files. The share is low, because a crash leaves only a few strays.
 */
const maxShare = 0.02;
/**
 * Number of files that the trash may always contain. In an installation with few files, `maxShare`
 * alone would allow none.
 */
const minAllowed = 20;
/** Number of keys per database query. */
const keysAtOnce = 500;
/**
 * Suffix of trash batches that the operator has confirmed. Their files do not count towards the
 * limit. The name of a batch is its day, such as `2026-01-02.wanted`.
 */
const wantedEnding = ".wanted";

/**
 * Thrown if a newer version has migrated the database. Stored files of kinds that only that version
 * knows would count as strays.
 */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";

  constructor(migration: string) {
    super(`A newer version has migrated the database (${migration}): only that version can sweep stored files.`);
  }
}

export interface SweepDeps {
  db: Db;
  files: StoredFiles;
}

/** Result of counting the stray files. */
export interface StoreReport {
  /** Number of stored files. */
  files: number;
  /**
   * Number of files without a row. `old` is the number of those that are old enough to be swept.
   */
  strays: number;
  old: number;
  /** True if a sweep needs the operator's confirmation because there are too many old strays. */
  tooMany: boolean;
  trashed: number;
}

export interface SweepReport {
  /** Number of files of interrupted uploads that were removed. */
  removed: number;
  /** Number of files that were moved to the trash. */
  moved: number;
  /** Number of files that were restored from the trash because they have a row. */
  putBack: number;
  /** Number of files that were not moved because there are too many. */
  heldBack: number;
  trashed: number;
}

export interface SweepOptions {
  /** Number of days for which the trash keeps files. */
  trashDays: number;
  /**
   * Identities of files whose upload is known to be interrupted. They are removed at once, whatever
   * their age.
   */
  abandoned?: ReadonlySet<string>;
  /** True if the operator has confirmed that all strays are to be swept. */
  wanted?: boolean;
}

export async function inspectStore(deps: SweepDeps): Promise<StoreReport> {
  const { all, strays } = await look(deps);
  const trash = await trashOf(deps.files);
  const old = strays.filter(isOld).length;
  const tooMany = old > 0 && old + trash.unwanted > allowedOf(all);
  return { files: all, strays: strays.length, old, tooMany, trashed: trash.keys.length };
}

/** @throws NewerSchema */
export async function sweep(deps: SweepDeps, options: SweepOptions): Promise<SweepReport> {
  const [newer] = await newerMigrations(deps.db);
  if (newer !== undefined) throw new NewerSchema(newer);
  const { trash: bin } = deps.files;
  await bin.empty(dayOf(Date.now() - options.trashDays * dayMs));
  const putBack = await restoreNeeded(deps);
  const { all, strays } = await look(deps);
  const [dead, others] = partition(strays, ({ identity }) => options.abandoned?.has(identity) ?? false);
  const removed = await takeAll(deps, dead, (key) => deps.files.remove(key));
  const old = others.filter(isOld);
  const before = await trashOf(deps.files);
  const heldBack = !options.wanted && old.length + before.unwanted > allowedOf(all) ? old.length : 0;
  const batch = dayOf(Date.now()) + (options.wanted ? wantedEnding : "");
  const moved = heldBack > 0 ? 0 : await takeAll(deps, old, (key) => bin.put(key, batch));
  return { removed, moved, putBack, heldBack, trashed: before.keys.length + moved };
}

/** Restores every file from the trash. Returns their number. */
export async function restoreTrash({ files }: Pick<SweepDeps, "files">): Promise<number> {
  let count = 0;
  for await (const file of files.trash.list()) if (await files.trash.putBack(file)) count++;
  return count;
}

const allowedOf = (all: number): number => Math.max(minAllowed, Math.floor(all * maxShare));

const isOld = ({ storedMs }: StoredFile): boolean => Date.now() - storedMs >= minAgeMs;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

async function look({ db, files }: SweepDeps): Promise<{ all: number; strays: StoredFile[] }> {
  let all = 0;
  const strays: StoredFile[] = [];
  for await (const batch of inBatches(files.list())) {
    all += batch.length;
    const found = await findStrays(db, batch);
    strays.push(...batch.filter(({ key }) => found.has(key)));
  }
  const deleted = await findDeleted(db);
  return { all, strays: strays.filter(({ key }) => !key.split(/[/.]/).some((part) => deleted.has(part))) };
}

/**
 * Returns the ids of documents, agents, operations and kept results whose clean-up job has not
 * ended yet.
 */
async function findDeleted(db: Db): Promise<Set<string>> {
  const documents = await listPayloads(db, "document.clean");
  const agents = await listPayloads(db, "agent.clean");
  const operations = await listPayloads(db, "operation.clean");
  const extractions = await listPayloads(db, "extraction.clean");
  const classifications = await listPayloads(db, "classification.clean");
  return new Set([
    ...documents.map(({ document }) => document),
    ...agents.map(({ agent }) => agent),
    ...operations.map(({ operation }) => operation),
    ...extractions.map(({ extraction }) => extraction),
    ...classifications.map(({ classification }) => classification),
  ]);
}

const finders = [findStraysOfDocuments, findStraysOfOperations, findStraysOfExtractions, findStraysOfClassifications];

async function findStrays(db: Db, files: readonly { key: string }[]): Promise<Set<string>> {
  const keys = files.map(({ key }) => key);
  const found = await Promise.all(finders.map((findStraysOf) => findStraysOf(db, keys)));
  return new Set(found.flat());
}

/**
 * Restores files from the trash if they have a row again. This happens if an older copy of the
 * database, which lacked the row, was in use for a while.
 */
async function restoreNeeded({ db, files }: SweepDeps): Promise<number> {
  let count = 0;
  for await (const batch of inBatches(files.trash.list())) {
    const strays = await findStrays(db, batch);
    for (const file of batch) if (!strays.has(file.key) && (await files.trash.putBack(file))) count++;
  }
  return count;
}

/** Calls `take` on each file that is still a stray. Returns the number of these files. */
async function takeAll({ db }: SweepDeps, strays: StoredFile[], take: (key: string) => Promise<void>): Promise<number> {
  let taken = 0;
  for (const { key } of strays) {
    // For files of operations and kept results, no lock prevents another process from inserting
    // their row at this moment. Such a file is swept only if it is old, or if the process that
    // stored it has ended. In both cases, its row will not be inserted any more.
    const isApart = isOperationFile(key) || isKeptFile(key) || isKeptClassificationFile(key);
    if (!isApart) taken += Number(await takeStray(db, key, take));
    else if ((await findStrays(db, [{ key }])).size > 0) {
      await take(key);
      taken++;
    }
  }
  return taken;
}

async function trashOf({ trash }: StoredFiles): Promise<{ keys: string[]; unwanted: number }> {
  const keys: string[] = [];
  let unwanted = 0;
  for await (const { key, batch } of trash.list()) {
    keys.push(key);
    if (!batch.endsWith(wantedEnding)) unwanted++;
  }
  return { keys, unwanted };
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < keysAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
