/** Clients that read the stream of state changes, and the objects whose states change. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEventJson, StateChangeJson } from "@sheaf/contract/live-states.ts";
import { sampleBase64 as file } from "./corpus.ts";
import { liveEventsOf } from "./events.ts";
import type { Person } from "./people.ts";
import type { TestService } from "./service.ts";

/**
 * Timeout in milliseconds. Longer than the heartbeat interval, because the service may only check
 * at the next heartbeat whether a stream is still allowed.
 */
export const patienceMs = 20_000;

/** A client that reads the stream until it is closed. */
export class Watcher implements AsyncDisposable {
  readonly events: LiveEventJson[] = [];
  readonly #controller = new AbortController();
  readonly #ended: Promise<void>;

  constructor(read: (signal: AbortSignal) => Promise<Response>) {
    this.#ended = this.#read(read).catch((error: unknown) => {
      if (!this.#controller.signal.aborted) throw error;
    });
    this.#ended.catch(() => {});
  }

  static async open(service: TestService, headers: Record<string, string>): Promise<Watcher> {
    const watcher = new Watcher((signal) => fetch(`${service.url}/v2/events`, { headers, signal }));
    await watcher.until(({ length }) => length > 0);
    assert.deepEqual(watcher.events[0], { event: "resync", data: {} });
    return watcher;
  }

  get states(): StateChangeJson[] {
    return this.events.flatMap((each) => (each.event === "state" ? each.data : []));
  }

  /**
   * Returns the states of one object in the order of the reports, without consecutive duplicates.
   */
  statesOf(reference: string): string[] {
    const all = this.states.filter((each) => each.reference === reference).map(({ status }) => status);
    return all.filter((status, index) => status !== all[index - 1]);
  }

  async until(isDone: (events: LiveEventJson[]) => boolean): Promise<void> {
    for (const deadline = performance.now() + patienceMs; !isDone(this.events); ) {
      assert.ok(performance.now() < deadline, `no such event among ${JSON.stringify(this.events)}`);
      await Promise.race([sleep(20), this.#ended]);
    }
  }

  sees = (reference: string, status: string): Promise<void> =>
    this.until(() => this.statesOf(reference).includes(status));

  /**
   * Waits until the service ends the stream. Returns the error code if the last event is an error;
   * otherwise undefined.
   */
  async end(): Promise<string | undefined> {
    await Promise.race([this.#ended, sleep(patienceMs).then(() => assert.fail("the stream goes on"))]);
    const last = this.events.at(-1);
    return last?.event === "error" ? last.data.code : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#controller.abort();
    await this.#ended;
  }

  async #read(read: (signal: AbortSignal) => Promise<Response>): Promise<void> {
    for await (const event of liveEventsOf(await read(this.#controller.signal))) this.events.push(event);
  }
}

/** Opens the stream as a signed-in user. */
export const byCookie = (service: TestService, { cookie }: Person) => Watcher.open(service, { cookie });
/** Opens the stream as a program with a token. */
export const byToken = (service: TestService, { token }: { token: string }) =>
  Watcher.open(service, { "x-api-key": token });

export const makeAgent = async (by: Pick<Person, "send">, body: object): Promise<string> =>
  (await by.send("POST", "/v2/agents", body)).body.data.reference;

/** Uploads the sample document. Returns its reference. */
export async function upload(by: Pick<Person, "send">, agent: string, filename: string): Promise<string> {
  const answer = await by.send("POST", `/v2/agents/${agent}/documents`, { filename, file });
  assert.equal(answer.status, 202);
  return answer.body.data.document_reference;
}
