/** Clients that go on sending documents while the database below the service breaks, and what they have seen. */
import { setTimeout as sleep } from "node:timers/promises";
import { sample } from "./corpus.ts";
import type { clientOf } from "./killed-service.ts";

export interface SeenUnderFaults {
  /** Names of the documents that the service has accepted. */
  accepted: string[];
  /** Answers that were 503 in the envelope, with `Retry-After`. */
  refused: number;
  /** Any other failure. */
  wrong: string[];
}

/** Time for an answer. Longer than a statement of the service may take, so that only a request that hangs is given up. */
const answerWithinMs = 60_000;

/** Sends documents, `clients` at a time, until it is told to stop; a refused one is sent again with its key. */
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
    // The request before, with the same key, is still waiting for the database.
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
    // A test that fails must stop them too: they would keep the process alive.
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}
