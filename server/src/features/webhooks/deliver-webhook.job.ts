/**
 * The job that posts one delivery and interprets the outcome. A 2xx status is a success. A missing
 * response, 429 and 5xx are retried on the schedule of the contract. Any other status is a final
 * failure, and so is a forbidden address. Every attempt is recorded before the next one can start.
 */
import { deliveryRules } from "@sheaf/contract/events.ts";
import { type Handler, type Job, PermanentFailure, RetryLater, type Write } from "../../jobs/runner.ts";
import { now } from "../../lib/clock.ts";
import type { Keys } from "../../lib/keys.ts";
import { type Outbound, OutboundError } from "../../net/outbound.ts";
import type { Db } from "../../records/records.ts";
import { type DeliveryRow, endDelivery, findPending, insertAttempt, recordFailedAttempt } from "./deliveries.repo.ts";
import { bodyOf } from "./delivery-body.ts";
import { signatureHeaders } from "./signature.ts";
import { findReceiver } from "./webhooks.service.ts";

export interface DelivererDeps {
  db: Db;
  keys: Keys;
  outbound: Pick<Outbound, "post">;
}

/** Maximum number of concurrent deliveries. A slow receiver only delays its own organization. */
const concurrency = 128;
const concurrencyPerOrganization = 16;

const plannedAttempts = deliveryRules.delaysSeconds.length;
/**
 * One attempt more than planned. The extra attempt is made if a process exits during the last
 * planned attempt, because it is then unknown whether the delivery arrived.
 */
const maxAttempts = plannedAttempts + 1;

interface Attempt {
  url: string;
  http_status: number | null;
  error: string | null;
  response: string | null;
  duration_ms: number;
  /** True if a retry cannot succeed. */
  isFinal: boolean;
}

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #underWay = new Map<string, AbortController>();

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  /** Aborts the attempts in progress of these deliveries. */
  cancelDeliveries(deliveries: readonly string[]): void {
    for (const id of deliveries) this.#underWay.get(id)?.abort(new PermanentFailure("The delivery was cancelled."));
  }

  readonly job: Handler<"delivery.send"> = {
    concurrency,
    concurrencyPerOrganization,
    run: async (job, signal) => {
      const cancellation = new AbortController();
      const { delivery } = job.payload;
      // The attempt is registered before the lookup, so that a delivery cancelled after the lookup
      // is not posted.
      this.#underWay.set(delivery, cancellation);
      try {
        return await this.#deliver(job, AbortSignal.any([signal, cancellation.signal]));
      } catch (error) {
        if (cancellation.signal.aborted) return undefined;
        throw error;
      } finally {
        this.#underWay.delete(delivery);
      }
    },
    onExhausted: (transaction, { payload }) =>
      endDelivery(transaction, payload.delivery, failure("All attempts of the delivery failed.")),
  };

  async #deliver({ payload, organizationId, attempt }: Job<"delivery.send">, signal: AbortSignal) {
    const { db, keys } = this.#deps;
    const delivery = await findPending(db, organizationId, payload.delivery);
    if (delivery === undefined) return undefined;
    const webhook = await findReceiver({ db, keys }, { organizationId }, delivery.event);
    const url = delivery.callback_url ?? webhook?.url;
    if (url === undefined) return ended(delivery, failure("The webhook was deleted."));
    if (attempt > maxAttempts)
      return ended(delivery, failure("The service stopped unexpectedly during the last attempts."));
    const at = Date.now();
    const { isFinal, ...made } = await this.#post(delivery, at, { url, secret: webhook?.secret }, signal);
    const number = delivery.earlier_attempts + attempt;
    const noted = { delivery_id: delivery.id, attempt: number, attempted_at: new Date(at).toISOString(), ...made };
    if (isSuccess(made.http_status)) return ended(delivery, success(), noted);
    const what = made.error ?? `The receiver responded with ${made.http_status}.`;
    if (isFinal) return ended(delivery, failure(what), noted);
    if (attempt >= plannedAttempts) return ended(delivery, failure(`${what} This was the last attempt.`), noted);
    await recordFailedAttempt(db, delivery, noted);
    // Follows the schedule of the contract and ignores Retry-After.
    throw new RetryLater(what);
  }

  async #post(
    delivery: DeliveryRow,
    at: number,
    { url, secret }: { url: string; secret: string | undefined },
    signal: AbortSignal,
  ): Promise<Attempt> {
    const body = bodyOf(delivery, at);
    const signed = secret === undefined ? {} : signatureHeaders({ id: delivery.id, at, body }, secret);
    const headers = { "content-type": "application/json", ...signed };
    const startedAt = performance.now();
    const made = { url, http_status: null, error: null, response: null, isFinal: false };
    const taken = () => ({ duration_ms: Math.round(performance.now() - startedAt) });
    try {
      const answer = await this.#deps.outbound.post(url, { headers, body }, signal);
      const { status, body: response } = answer;
      return { ...made, ...taken(), isFinal: status !== 429 && status < 500, http_status: status, response };
    } catch (error) {
      if (signal.aborted || !(error instanceof OutboundError)) throw signal.aborted ? signal.reason : error;
      return { ...made, ...taken(), error: error.message, isFinal: error.kind === "refused_address" };
    }
  }
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const success = () => ({ status: "delivered" as const, failure: null, ended_at: now() });
const failure = (why: string) => ({ status: "failed" as const, failure: why, ended_at: now() });

const ended =
  (
    { id }: DeliveryRow,
    end: ReturnType<typeof success> | ReturnType<typeof failure>,
    attempt?: Parameters<typeof insertAttempt>[1],
  ): Write =>
  async (transaction) => {
    if (attempt) await insertAttempt(transaction, attempt);
    await endDelivery(transaction, id, end);
  };
