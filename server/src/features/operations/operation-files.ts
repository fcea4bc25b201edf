/** The stored files of operations: kept as long as the operation has not ended. */
import { limits } from "@sheaf/contract/limits.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Handler } from "../../jobs/runner.ts";
import type { Db } from "../../records/records.ts";
import { forgetOperations, listStarted, type OperationRow } from "./operations.repo.ts";

const prefix = "operations";

export const operationKey = (id: string): string => `${prefix}/${id}`;
/** The keys that an operation needs in its state. */
export const filesOfOperation = ({ id, status }: Pick<OperationRow, "id" | "status">): string[] =>
  status === "started" ? [operationKey(id)] : [];
export const isOperationFile = (key: string): boolean => key.startsWith(`${prefix}/`);

export const cleanOperationJob = ({ files }: { files: StoredFiles }): Handler<"operation.clean"> => ({
  concurrency: 2,
  run: async ({ payload }) => {
    await files.remove(operationKey(payload.operation));
    return undefined;
  },
});

const dayMs = 86_400_000;

/** Forgets outcomes that nobody can ask for any more, and files that no operation needs, if they were stored so long ago. */
export async function tidyOperations({ db, files }: { db: Db; files: StoredFiles }, minAgeMs: number): Promise<void> {
  await forgetOperations(db, new Date(Date.now() - limits.resultDays * dayMs).toISOString());
  const before = Date.now() - minAgeMs;
  const old: string[] = [];
  for await (const { key, storedMs } of files.list(prefix)) if (storedMs <= before) old.push(key);
  // Looked up after the files: one that was stored since then is not among them.
  const started = await listStarted(db);
  for (const key of old) if (!started.has(key.slice(prefix.length + 1))) await files.remove(key);
}

/** What does not agree between operations and their files, a sentence each. For the operator. */
export async function checkOperations({ db, files }: { db: Db; files: StoredFiles }): Promise<string[]> {
  const started = await listStarted(db);
  const stored = new Set<string>();
  for await (const { key } of files.list(prefix)) stored.add(key.slice(prefix.length + 1));
  return [
    ...[...started].filter((id) => !stored.has(id)).map((id) => `The file of operation ${id} is missing.`),
    ...[...stored].filter((id) => !started.has(id)).map((id) => `The stored file of operation ${id} is not needed.`),
  ];
}
