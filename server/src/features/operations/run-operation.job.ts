/**
 * The job that runs an operation. The operation ends with a result, or with the error that a
 * synchronous call would return.
 */

import type { ClassificationOutcomeJson } from "@sheaf/contract/classification.ts";
import { type ErrorCode, errors } from "@sheaf/contract/errors.ts";
import type { EventData } from "@sheaf/contract/events.ts";
import type { ExtractionOutcomeJson } from "@sheaf/contract/extraction.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { enqueue } from "../../jobs/queue.ts";
import { type Handler, ProcessLost, type Write } from "../../jobs/runner.ts";
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { ReadingInterrupted } from "../../reading/reader.ts";
import type { Db } from "../../records/records.ts";
import type { OperationKind } from "../../records/result-tables.ts";
import { type FileToRead, readableExtensionOf } from "../understanding/understanding.service.ts";
import { emitEvent, emitToCallback } from "../webhooks/events.service.ts";
import { operationKey } from "./operation-files.ts";
import { endOperation, findOperation, type OperationRow } from "./operations.repo.ts";

/**
 * For each kind of operation, the name of the member that contains its id, and the type of its
 * outcome.
 */
interface Kinds {
  extraction: { idName: "extract_id"; outcome: ExtractionOutcomeJson };
  classification: { idName: "classification_id"; outcome: ClassificationOutcomeJson };
}

const idNames = { extraction: "extract_id", classification: "classification_id" } as const;

export type OutcomeOf<K extends OperationKind> = Kinds[K]["outcome"];

/**
 * The part of a result that the work provides: without the members that all kinds of operations
 * share.
 */
export type ResultOf<K extends OperationKind> = Omit<
  Extract<OutcomeOf<K>, { status: "success" }>,
  "status" | Kinds[K]["idName"]
>;

/**
 * Does the work of an operation on its file. The returned function runs in the transaction that
 * ends the operation, and returns the result. An AppError becomes the outcome; after any other
 * error the work is retried.
 */
export type Work<K extends OperationKind> = (
  operation: OperationRow,
  file: FileToRead,
  signal: AbortSignal,
) => Promise<(transaction: Db) => Promise<ResultOf<K>>>;

export interface RunDeps {
  db: Db;
  files: StoredFiles;
  /** Maximum number of concurrent operations of this kind. */
  concurrency: number;
}

export function runOperationJob<K extends OperationKind>(
  kind: K,
  { db, files, concurrency }: RunDeps,
  work: Work<K>,
): Handler<"extraction.run" | "classification.run"> {
  return {
    concurrency,
    run: async ({ organizationId, payload }, signal) => {
      const operation = await findOperation(db, organizationId, kind, payload.operation);
      if (operation?.status !== "started") return undefined;
      try {
        const { filename } = JSON.parse(operation.request) as { filename: string };
        await using stored = await files.local(operationKey(operation.id));
        const file = { path: stored.path, filename, extension: readableExtensionOf(filename) };
        const record = await work(operation, file, signal);
        return async (transaction) =>
          end(transaction, operation, { status: "success", ...(await record(transaction)) });
      } catch (error) {
        if (error instanceof ReadingInterrupted) throw new ProcessLost(error.message);
        if (signal.aborted || !(error instanceof AppError)) throw error;
        return failed(operation, error);
      }
    },
    onExhausted: async (transaction, { organizationId, payload }) => {
      const operation = await findOperation(transaction, organizationId, kind, payload.operation);
      const code: ErrorCode = `${kind}_failed`;
      const message = "The file could not be processed after several attempts.";
      if (operation) await failed(operation, { code, message })(transaction);
    },
  };
}

/** Returns the principal on whose behalf an operation runs. */
export const principalOf = ({ organization_id, channel, user_id }: OperationRow): Principal => ({
  organizationId: organization_id,
  channel,
  userId: user_id,
  role: null,
});

const failed =
  (operation: OperationRow, { code, message }: Pick<AppError, "code" | "message">): Write =>
  (transaction) =>
    end(transaction, operation, {
      status: "error",
      code,
      error: message,
      detail: { http_status: errors[code].status },
    });

/** Stores the outcome of an operation and queues its delivery to the callback and the webhooks. */
async function end(
  transaction: Db,
  operation: OperationRow,
  { status, ...rest }: { status: "success" | "error"; [member: string]: unknown },
): Promise<void> {
  const { id, kind, organization_id: organizationId, callback_url: callback } = operation;
  const outcome = { status, [idNames[kind]]: id, ...rest };
  if (!(await endOperation(transaction, operation, { status, outcome: JSON.stringify(outcome), ended_at: now() })))
    return;
  await enqueue(transaction, "operation.clean", { operation: id }, { organizationId });
  const event = `${kind}.completed` as const;
  const data = outcome as unknown as EventData<typeof event>;
  if (callback !== null) await emitToCallback(transaction, organizationId, event, data, callback);
  await emitEvent(transaction, organizationId, event, data);
}
