/** Clients that send documents while the database fails, and record the responses. */
import { setTimeout as sleep } from "node:timers/promises";
import { sample } from "./corpus.ts";
import type { clientOf } from "./killed-service.ts";

export interface SeenUnderFaults {
  /** Names of the accepted documents. */
  accepted: string[];
  /** Number of 503 responses that have the standard envelope and a `Retry-After` header. */
  refused: number;
  /**
   * All other failures: status and error code of the response, or the error if there was no
   * response.
   */
  wrong: string[];
}

/**
 * Response timeout in milliseconds. Longer than the statement timeout of the service, so that a
 * request is aborted only if it hangs. Chosen by hand, 2026-11.
 */
const answerWithinMs = 60_000;

/**
 * Sends documents from `clients` concurrent clients until stopped. A refused document is retried
 * with the same idempotency key.
 */
export function sendDocuments(client: Awaited<ReturnType<typeof clientOf>>, clients: number, label: string) {
  const seen: SeenUnderFaults = { accepted: [], refused: 0, wrong: [] };
  const file = sample.toString("base64");
  let stopped = false;
  const post = async (name: string): Promise<boolean> => {
    const headers = { "x-api-key": client.token, "content-type": "application/json", "idempotency-key": name };
    const body = JSON.stringify({ filename: name, file });
    const answer = await fetch(`${client.url}/v2/agents/${client.agent}/documents`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const json = (await answer.json()) as { code?: string };
    if (answer.status === 202) seen.accepted.push(name);
    else if (answer.status === 503 && json.code === "agent_unavailable" && answer.headers.has("retry-after"))
      seen.refused++;
    // 409 means that an earlier request with the same key is still running, waiting for the
    // database.
    else if (answer.status !== 409 || json.code !== "conflict") seen.wrong.push(`${answer.status} ${json.code}`);
    return answer.status !== 503 && answer.status !== 409;
  };
  const work = async (number: number) => {
    for (let i = 0; !stopped; i++) {
      const name = `${label}-${number}-${i}.pdf`;
      while (!stopped && !(await post(name).catch((error) => seen.wrong.push(String(error)) < 0))) await sleep(100);
      await sleep(100);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, i) => work(i)));
  const stop = async (): Promise<SeenUnderFaults> => {
    stopped = true;
    await all;
    return seen;
  };
  return {
    seen,
    stop,
    // The clients must stop even if the test fails, because they would keep the process running.
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}
