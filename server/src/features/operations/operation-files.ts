/** The stored files of operations, kept until the operation ends. */
import { limits } from "@sheaf/contract/limits.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Handler } from "../../jobs/runner.ts";
import type { Db } from "../../records/records.ts";
import { forgetOperations, listStarted, type OperationRow } from "./operations.repo.ts";

const prefix = "operations";

export const operationKey = (id: string): string => `${prefix}/${id}`;
/** Returns the keys of the files that an operation needs in its current state. */
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

/** Deletes operations whose outcome can no longer be requested. */
export const deleteOldOperations = (db: Db): Promise<void> =>
  forgetOperations(db, new Date(Date.now() - limits.resultDays * dayMs).toISOString());

/**
 * Returns those of the keys whose operation has ended or does not exist. Ignores keys of files that
 * do not belong to operations.
 */
export async function findStrays(db: Db, keys: readonly string[]): Promise<string[]> {
  const named = keys.filter(isOperationFile);
  if (named.length === 0) return [];
  const started = await listStarted(db);
  return named.filter((key) => !started.has(key.slice(prefix.length + 1)));
}

/**
 * Returns one sentence for each mismatch between operations and their stored files, to be shown to
 * the operator.
 */
export async function checkOperations({ db, files }: { db: Db; files: StoredFiles }): Promise<string[]> {
  const started = await listStarted(db);
  const stored = new Set<string>();
  for await (const { key } of files.list(prefix)) stored.add(key.slice(prefix.length + 1));
  return [
    ...[...started].filter((id) => !stored.has(id)).map((id) => `The file of operation ${id} is missing.`),
    ...[...stored]
      .filter((id) => !started.has(id))
      .map((id) => `The file of operation ${id} is still stored but no longer needed.`),
  ];
}
