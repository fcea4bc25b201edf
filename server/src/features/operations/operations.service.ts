/**
 * Operations: asynchronous work on a file. An operation is started by a request and run by a job.
 * Its outcome is stored, posted to the callback of the request and emitted as an event, all in one
 * transaction. The features `extraction` and `classification` define the work.
 */
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import { type Caller, ownUser, type Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import type { OperationKind } from "../../records/result-tables.ts";
import { readableExtensionOf } from "../understanding/understanding.service.ts";
import { checkReceiver, type WebhookDeps } from "../webhooks/webhooks.service.ts";
import { operationKey } from "./operation-files.ts";
import * as operations from "./operations.repo.ts";

export {
  checkOperations,
  cleanOperationJob,
  deleteOldOperations,
  filesOfOperation,
  findStrays,
  isOperationFile,
} from "./operation-files.ts";

import type { OutcomeOf } from "./run-operation.job.ts";

export { dropOperations } from "./operations.repo.ts";
export { principalOf, type RunDeps, runOperationJob } from "./run-operation.job.ts";

export interface OperationDeps extends Pick<WebhookDeps, "mayPost"> {
  db: Db;
  files: StoredFiles;
  /** Maximum number of unfinished operations of one organization. */
  maxStarted: number;
  /** Notifies the runner of a new job. */
  wake(): void;
}

export interface NewOperation {
  kind: OperationKind;
  agentId: string | null;
  /** The request, as JSON-serializable data. */
  request: { filename: string };
  callback: string | undefined;
  /** Path on a local disk. The file must not be changed afterwards. */
  file: { path: string };
}

/**
 * Checks whether a new operation may start. The check does not need the body of the request.
 * @throws AppError `agent_unavailable` if too many operations are unfinished
 */
export async function admitOperation(
  deps: Pick<OperationDeps, "db" | "maxStarted">,
  principal: Principal,
): Promise<void> {
  if ((await operations.countStarted(deps.db, principal.organizationId)) < deps.maxStarted) return;
  const message = "Too many files of your organization are waiting to be processed; try again later.";
  throw new AppError("agent_unavailable", undefined, { message });
}

/**
 * Starts an operation and returns its id. When the promise resolves, the file, the row and the job
 * of the operation are durable.
 * @throws AppError `unsupported_file_type`; `invalid_request` if the callback URL is refused
 */
export async function startOperation(
  deps: OperationDeps,
  caller: Caller,
  { kind, agentId, request, callback, file }: NewOperation,
  atCommit?: AtCommit<string>,
): Promise<string> {
  const { db, files } = deps;
  const { organizationId, channel } = caller;
  readableExtensionOf(request.filename, extractionExtensions);
  if (callback !== undefined) await checkReceiver(deps, "callback", callback);
  const id = newId();
  await files.put(operationKey(id), file.path);
  await db.transaction().execute(async (transaction) => {
    await operations.insertOperation(transaction, {
      id,
      organization_id: organizationId,
      kind,
      agent_id: agentId,
      request: JSON.stringify(request),
      callback_url: callback ?? null,
      channel,
      user_id: ownUser(caller),
      status: "started",
      created_at: now(),
    });
    await enqueue(transaction, `${kind}.run`, { operation: id }, { organizationId });
    await atCommit?.(transaction, id);
  });
  deps.wake();
  return id;
}

/**
 * Returns the outcome in the format in which webhooks deliver it; undefined while the operation
 * runs.
 * @throws AppError `not_found`
 */
export async function findOutcome<K extends OperationKind>(
  db: Db,
  caller: Caller,
  kind: K,
  id: string,
): Promise<OutcomeOf<K> | undefined> {
  const row = isId(id) ? await operations.findOperationOf(db, caller, kind, id) : undefined;
  if (row === undefined) throw new AppError("not_found", undefined, { message: `No such ${kind}.` });
  return row.outcome === null ? undefined : JSON.parse(row.outcome);
}
