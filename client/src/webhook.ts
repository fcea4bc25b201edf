/**
 * Verifies and parses webhook deliveries. Uses only Web Crypto, so that it runs on every platform.
 */
import { isRecord, parseJson } from "./errors.ts";
import { type EventData, eventNames } from "./generated/types.ts";

export type EventName = keyof EventData;

/** A delivery, discriminated by `event`. */
export type WebhookEvent = {
  [Name in EventName]: {
    /** ULID, which is the same in every attempt. Use it to detect duplicates. */
    id: string;
    event: Name;
    /** Time of the attempt, ISO 8601 UTC. */
    timestamp: string;
    data: EventData[Name];
  };
}[EventName];

/** The body exactly as received, before any parsing. */
export type RawBody = string | Uint8Array | ArrayBuffer;
/** Request headers as Node, `fetch`, a framework or an edge function represents them. */
export type WebhookHeaders =
  | Headers
  | ReadonlyMap<string, string | readonly string[]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /**
   * Maximum difference between `timestamp` and now, in either direction, in seconds. Default: 300.
   */
  toleranceSeconds?: number | undefined;
}

/**
 * Why a delivery is refused:
 * - `missing_signature`: there is no signature header
 * - `bad_signature`: the signature does not match this body and secret
 * - `too_old`, `too_new`: the signature is valid, but the time is outside the tolerance. The
 *   delivery may have been replayed by an attacker, or a clock may be wrong
 * - `malformed`: the signature is valid, but the body is not an event that this version knows
 */
export type WebhookVerificationReason = "missing_signature" | "bad_signature" | "too_old" | "too_new" | "malformed";

export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookVerificationReason;
  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const signatureHeader = "x-service-signature";

/**
 * Returns the event of a delivery after checking its signature and its time.
 * @param secret as returned by `putWebhook`, including `whsec_`
 * @throws WebhookVerificationError with the `reason`: respond with 400 or 401, and do nothing else
 * @throws TypeError for invalid arguments: no secret, or a body that was already parsed
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, secret);
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!(toleranceSeconds >= 0)) throw new TypeError("toleranceSeconds must be 0 or more.");
  await verifySignature(rawBody, headers, secret);
  const event = parseEvent(rawBody);
  const ageSeconds = (Date.now() - Date.parse(event.timestamp)) / 1000;
  if (ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError(
      "too_old",
      `The delivery is too old: it was signed ${Math.round(ageSeconds)} s ago.`,
    );
  if (-ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError(
      "too_new",
      `The timestamp of the delivery is ${Math.round(-ageSeconds)} s in the future.`,
    );
  return event;
}

/**
 * Checks only the signature. Use it for posts to the `callback` of a request, which have neither id
 * nor time. Such a post is signed only if the organization has a webhook for the same event; the
 * key is the secret of that webhook.
 * @throws WebhookVerificationError `missing_signature`, `bad_signature`
 * @throws TypeError as `verifyWebhook`
 */
export async function verifySignature(rawBody: RawBody, headers: WebhookHeaders, secret: string): Promise<void> {
  if (typeof secret !== "string" || secret === "") throw new TypeError("The secret of the webhook is required.");
  const body = bytesOf(rawBody);
  const values = headerValues(headers);
  if (values.size === 0)
    throw new WebhookVerificationError("missing_signature", `There is no header ${signatureHeader}.`);
  const [value = ""] = values;
  const hex = values.size === 1 ? /^sha256=([0-9a-f]{64})$/i.exec(value)?.[1] : undefined;
  const expected = await hmacSha256(secret, body);
  if (hex === undefined || !isEqual(expected, fromHex(hex)))
    throw new WebhookVerificationError("bad_signature", "The signature does not match this body and secret.");
}

function bytesOf(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody as Uint8Array<ArrayBuffer>;
  throw new TypeError("The body must be the raw text or bytes, before any parsing.");
}

/** Returns all values of the signature header, whatever the case of its name. */
function headerValues(headers: WebhookHeaders): Set<string> {
  const entries: Iterable<readonly [string, string | readonly string[] | undefined]> =
    Symbol.iterator in headers ? headers : Object.entries(headers);
  const values = new Set<string>();
  for (const [name, value] of entries)
    if (name.toLowerCase() === signatureHeader) for (const each of [value ?? []].flat()) values.add(each.trim());
  return values;
}

async function hmacSha256(secret: string, body: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, body));
}

/** Compares two byte arrays in constant time. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

function parseEvent(rawBody: RawBody): WebhookEvent {
  const event = parseJson(textOf(rawBody));
  if (!isRecord(event)) throw malformed("is not a JSON object");
  const { id, event: name, timestamp, data } = event;
  if (typeof id !== "string" || id === "") throw malformed("has no id");
  if (!eventNames.some((each) => each === name)) throw malformed("has an unknown event");
  if (typeof timestamp !== "string" || Number.isNaN(Date.parse(timestamp))) throw malformed("has no valid timestamp");
  if (!isRecord(data)) throw malformed("has no data");
  return event as WebhookEvent;
}

/** Decodes strictly, because JSON must be valid UTF-8. */
function textOf(rawBody: RawBody): string {
  if (typeof rawBody === "string") return rawBody;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rawBody);
  } catch {
    return "";
  }
}

function malformed(what: string): WebhookVerificationError {
  return new WebhookVerificationError("malformed", `The delivery ${what}.`);
}
