/**
 * A service process that is killed and restarted on the same data, and a client that works across
 * restarts.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openRecords } from "../../src/records/records.ts";
import { createDatabase, type Dialect } from "./databases.ts";
import { firstCredentialOf, type Running, temporaryFolder } from "./process.ts";

/**
 * Response timeout in milliseconds. If the service never responds, the test fails after this time
 * instead of waiting forever. Chosen by hand, 2026-11.
 */
const answerWithinMs = 60_000;

export interface ListedDocument {
  reference: string;
  name: string;
  status: string;
}

/** Creates a data folder, a database, and the settings of a service that uses them. */
export async function placeOver(dialect: Dialect, more: Record<string, string> = {}) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const database = await createDatabase(dialect);
  stack.defer(() => database.drop());
  const data = join(folder.path, "data");
  const settings = {
    SHEAF_DATA_DIR: data,
    SHEAF_PORT: "0",
    DATABASE_URL: database.url,
    SHEAF_LOG_LEVEL: "error",
    ...more,
  };
  /**
   * Opens the database. With SQLite, opens the database in the folder `at`, which may be a copy of
   * the data folder.
   */
  const open = (at = data) => {
    const records = openRecords(
      database.url === undefined
        ? { dialect: "sqlite", path: join(at, "sheaf.db") }
        : { dialect: "postgres", url: database.url, maxConnections: 2, onIdleError: () => {} },
    );
    return { db: records.db, [Symbol.asyncDispose]: () => records.close() };
  };
  return { data, folder: folder.path, settings, open, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

export type Place = Awaited<ReturnType<typeof placeOver>>;

/** Returns the settings of a second process on the same database, files, index and keys. */
export const settingsBeside = ({ data, folder, settings }: Place) => ({
  ...settings,
  SHEAF_DATA_DIR: join(folder, "second"),
  SHEAF_KEYS_DIR: join(data, "keys"),
  SHEAF_FILES_DIR: join(data, "files"),
  SHEAF_INDEX_DIR: join(data, "index"),
});

/** Resolves with the URL of a service as soon as it listens. */
export const urlOf = async (running: Running): Promise<string> =>
  (await running.printed(/Sheaf is ready at (http:\/\/\S+) /))[1] as string;

/**
 * Creates a client with the credential of the first start, and an agent with a corpus. The
 * parameter `at` of its functions is the current URL of the service.
 */
export async function clientOf(first: Running) {
  const url = await urlOf(first);
  const { id, secret } = await firstCredentialOf(first);
  const answer = await fetch(`${url}/v2/token?client_id=${id}&client_secret=${secret}`);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { "x-api-key": token, "content-type": "application/json" };
  const send = async (at: string, method: string, path: string, body?: object) => {
    const signal = AbortSignal.timeout(answerWithinMs);
    const reply = await fetch(at + path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
    // biome-ignore lint/suspicious/noExplicitAny: tests read any member of a response
    return { status: reply.status, body: (await reply.json()) as any };
  };
  const agent = (await send(url, "POST", "/v2/agents", { name: "Corpus", type: "DOCUMENTALIST" })).body.data.reference;
  const upload = (at: string, name: string, file: Buffer) =>
    send(at, "POST", `/v2/agents/${agent}/documents`, { filename: name, file: file.toString("base64") });
  const list = async (at: string): Promise<ListedDocument[]> =>
    (await send(at, "GET", `/v2/agents/${agent}/documents`)).body.data;
  return { url, agent: agent as string, token, send, upload, list };
}

/** Resolves with the documents as soon as none of them is pending. */
export async function settled(list: () => Promise<ListedDocument[]>, withinMs = 60_000): Promise<ListedDocument[]> {
  for (const deadline = performance.now() + withinMs; ; await sleep(100)) {
    const documents = await list();
    if (documents.every(({ status }) => status !== "pending")) return documents;
    const pending = documents.filter(({ status }) => status === "pending").length;
    assert.ok(performance.now() < deadline, `${pending} of ${documents.length} are pending`);
  }
}
