/**
 * Sets the webhooks of all events to itself and prints each event once, however often it is delivered: `npx node
 * examples/webhook-receiver.ts`. What it needs to know after a restart, secrets and the ids that it has seen, is kept in STATE_FILE.
 * Webhooks must be reachable: for this machine start the service with `SHEAF_OUTBOUND_ALLOW=127.0.0.1 SHEAF_OUTBOUND_HTTP=on`.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { type EventName, verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@sheaf/client";
import { connect } from "./connection.ts";

const { PORT = "9090", STATE_FILE = join(import.meta.dirname, "webhook-receiver.json") } = process.env;
const { RECEIVER_URL = `http://127.0.0.1:${PORT}` } = process.env;
const events = ["document.ingestion_completed", "extraction.completed", "classification.completed"] as const;
/** An event is delivered within minutes, so that the ids of long ago are of no use. */
const keptIds = 10_000;
const maxBodyBytes = 32 * 1_048_576;

interface State {
  secrets: Partial<Record<EventName, string>>;
  /** Ids of deliveries, the latest last. */
  seen: string[];
}

const state = await readState();
/** One delivery after the other, so that two of the same can't both be the first. */
let turn = Promise.resolve();

const server = createServer(async (request, response) => {
  try {
    const event = await eventOf(request);
    const taken = turn.then(() => take(event));
    turn = taken.catch(() => {});
    await taken;
    response.writeHead(204).end();
  } catch (error) {
    // 4xx tells the service not to try again, 5xx to do so.
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

/** Each event has a path of its own, since it has a secret of its own. */
async function eventOf(request: IncomingMessage): Promise<WebhookEvent> {
  const secret = state.secrets[(request.url ?? "").slice(1) as EventName];
  if (request.method !== "POST" || secret === undefined)
    throw new WebhookVerificationError("malformed", "There is no webhook of this path.");
  // The signature is of these bytes: nothing may parse them before.
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

/** The id is kept once the work is done: after a crash in between it is done again. */
async function take(event: WebhookEvent): Promise<void> {
  if (state.seen.includes(event.id)) return;
  console.log(`${event.event} ${JSON.stringify(event.data)}`);
  state.seen = [...state.seen, event.id].slice(-keptIds);
  await writeState();
}

/** A secret is told once, when the webhook is made: one that exists and is not ours must be deleted first. */
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

/** Whole or not at all, and readable by its owner alone: it holds secrets. */
async function writeState(): Promise<void> {
  await writeFile(`${STATE_FILE}.new`, JSON.stringify(state), { mode: 0o600, flush: true });
  await rename(`${STATE_FILE}.new`, STATE_FILE);
}
