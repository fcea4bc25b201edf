/**
 * Registers itself as the webhook of all events, and prints each event once, however often it is
 * delivered: `npx node examples/webhook-receiver.ts`.
 *
 * Stores the webhook secrets and the ids of processed deliveries in STATE_FILE, so that they
 * survive a restart. To receive webhooks on the same machine, start the service with
 * `SHEAF_OUTBOUND_ALLOW=127.0.0.1 SHEAF_OUTBOUND_HTTP=on`.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { type EventName, verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@sheaf/client";
import { connect } from "./connection.ts";

const { PORT = "9090", STATE_FILE = join(import.meta.dirname, "webhook-receiver.json") } = process.env;
const { RECEIVER_URL = `http://127.0.0.1:${PORT}` } = process.env;
const events = ["document.ingestion_completed", "extraction.completed", "classification.completed"] as const;
/**
 * Maximum number of stored delivery ids. Older ids are not needed, because all attempts of a
 * delivery are made within minutes.
 */
const keptIds = 10_000;
const maxBodyBytes = 32 * 1_048_576;

interface State {
  secrets: Partial<Record<EventName, string>>;
  /** Ids of processed deliveries, the latest at the end. */
  seen: string[];
}

const state = await readState();
/**
 * Settles when the latest delivery has been processed. Deliveries are processed one after another.
 * Otherwise, an event that is delivered twice at the same time could be processed twice.
 */
let turn = Promise.resolve();

const server = createServer(async (request, response) => {
  try {
    const event = await eventOf(request);
    const taken = turn.then(() => take(event));
    turn = taken.catch(() => {});
    await taken;
    response.writeHead(204).end();
  } catch (error) {
    // A 4xx status tells the service not to retry. A 5xx status tells it to retry.
    const status = error instanceof WebhookVerificationError ? 401 : 500;
    console.error(`refused with ${status}: ${error instanceof Error ? error.message : error}`);
    response.writeHead(status, { connection: "close" }).end();
  }
});
server.listen(Number(PORT), async () => {
  await setWebhooks();
  console.log(`Receiving at ${RECEIVER_URL}`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    server.close();
    server.closeIdleConnections();
  });

/**
 * Returns the verified event of a request. Each kind of event has its own path, because each has
 * its own secret.
 */
async function eventOf(request: IncomingMessage): Promise<WebhookEvent> {
  const secret = state.secrets[(request.url ?? "").slice(1) as EventName];
  if (request.method !== "POST" || secret === undefined)
    throw new WebhookVerificationError("malformed", "There is no webhook of this path.");
  // The signature covers exactly these bytes, so they must not be parsed before the check.
  return verifyWebhook(await readBody(request), request.headers, secret);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new WebhookVerificationError("malformed", "The body is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Processes an event unless its id is stored. Stores the id only after the work, so that the work
 * is repeated if the process crashes before the id is stored.
 */
async function take(event: WebhookEvent): Promise<void> {
  if (state.seen.includes(event.id)) return;
  console.log(`${event.event} ${JSON.stringify(event.data)}`);
  state.seen = [...state.seen, event.id].slice(-keptIds);
  await writeState();
}

/**
 * Registers the webhooks. The service returns a secret only when a webhook is created, so an
 * existing webhook with an unknown secret must be deleted first.
 */
async function setWebhooks(): Promise<void> {
  const sheaf = connect();
  const { data: webhooks } = await sheaf.listWebhooks();
  for (const event of events) {
    if (webhooks.some((webhook) => webhook.event === event) && state.secrets[event] === undefined) {
      if (!process.argv.includes("--replace")) throw new Error(`${event} has a webhook already; --replace deletes it.`);
      await sheaf.deleteWebhook(event);
    }
    const { data } = await sheaf.putWebhook(event, { url: `${RECEIVER_URL}/${event}` });
    if ("secret" in data) state.secrets[event] = data.secret;
    await writeState();
  }
}

async function readState(): Promise<State> {
  try {
    return JSON.parse(await readFile(STATE_FILE, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return { secrets: {}, seen: [] };
  }
}

/** Replaces the file atomically. Only its owner can read it, because it contains secrets. */
async function writeState(): Promise<void> {
  await writeFile(`${STATE_FILE}.new`, JSON.stringify(state), { mode: 0o600, flush: true });
  await rename(`${STATE_FILE}.new`, STATE_FILE);
}
