/**
 * Handles requests with an idempotency key: the first request does the work and stores its reply,
 * and later requests get this reply.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Endpoint, successStatus, takesIdempotencyKey } from "@sheaf/contract/endpoint.ts";
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import type { FastifyRequest } from "fastify";
import { KeyClaim, type StoredReply } from "../features/idempotency/idempotency.service.ts";
import { AppError } from "../lib/errors.ts";
import type { BodyBounds, RouteRequest } from "../lib/route.ts";
import type { AppDeps } from "./app-deps.ts";
import type { ReceivedBody } from "./request-body.ts";

/** A response. The body is an async iterable of pieces if the text is streamed. */
export interface RouteResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
}

/** Parts of a request that must be the same when it is retried. */
interface KeyedRequest {
  operationId: string;
  /** Path parameters. */
  path: unknown;
  received: ReceivedBody;
}

/** Claims the idempotency key of a request, given its fingerprint. */
type ClaimKey = (fingerprint: string) => Promise<KeyClaim | StoredReply>;

/**
 * Returns a function that claims the idempotency key of a request. Returns undefined if the request
 * has no key, or its endpoint does not accept one.
 */
export function claimOf(
  { beginRequest }: Pick<AppDeps, "beginRequest">,
  endpoint: Endpoint,
  request: FastifyRequest,
): ClaimKey | undefined {
  const { caller } = request;
  const key = keyOf(endpoint, request);
  if (caller === undefined || key === undefined) return undefined;
  return (fingerprint) => beginRequest(caller, key, fingerprint);
}

/**
 * Checks a request before its body is received, and returns the limits of its body. If the quota is
 * full, a retry of a completed request is still admitted, and gets the stored reply. Otherwise a
 * client could not retry the request that filled the quota.
 */
export async function boundsOf(
  { isAnswered }: Pick<AppDeps, "isAnswered">,
  endpoint: Endpoint,
  request: FastifyRequest,
  beforeBody: () => Promise<BodyBounds | undefined>,
): Promise<BodyBounds | undefined> {
  const isRetry = async () => {
    const key = keyOf(endpoint, request);
    return request.caller !== undefined && key !== undefined && (await isAnswered(request.caller, key));
  };
  try {
    const bounds = await beforeBody();
    return bounds !== undefined && (await isRetry()) ? undefined : bounds;
  } catch (error) {
    if (error instanceof AppError && error.code === "quota_exceeded" && (await isRetry())) return undefined;
    throw error;
  }
}

function keyOf(endpoint: Endpoint, { headers }: FastifyRequest): string | undefined {
  const key = headers[idempotencyKey.header];
  return key === undefined || !takesIdempotencyKey(endpoint) ? undefined : String(key);
}

/**
 * Returns a function that stores the reply of a request with its claim. If the reply contains a
 * secret, the function stores only the id of the created object, never the reply. Without a claim,
 * the function does nothing.
 */
export const keeperOf =
  (endpoint: Endpoint, claim: KeyClaim | undefined): RouteRequest["keep"] =>
  (replyOf) =>
  async (transaction, result) => {
    if (claim === undefined) return;
    const reply = { status: successStatus(endpoint), headers: {}, ...replyOf(result) };
    const { secretReply } = endpoint;
    if (secretReply === undefined) return claim.keep(transaction, reply);
    const { data } = reply.body as unknown as { data: Record<string, string> };
    await claim.keepReference(transaction, String(data[secretReply.reference]));
  };

/**
 * Does the work, or replays the stored reply. Failures are not stored, so a retry does the work
 * again.
 */
export async function answerOnce(
  claim: ClaimKey,
  request: KeyedRequest,
  answer: (claim: KeyClaim) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const claimed = await claim(await fingerprintOf(request));
  if (!(claimed instanceof KeyClaim)) {
    const headers = { ...claimed.headers, [idempotencyKey.replayedHeader]: "true" };
    return { ...claimed, headers, body: typeof claimed.body === "string" ? inOnePiece(claimed.body) : claimed.body };
  }
  const given = await answer(claimed).catch(async (error) => {
    await claimed.release();
    throw error;
  });
  if (isText(given.body)) return { ...given, body: releasedAtTheEnd(given.body, claimed) };
  // The key is not released, because the work has been done.
  if (!claimed.hasReply)
    throw new Error(`${request.operationId} did not store its reply in the transaction that did the work.`);
  return given;
}

/**
 * Hashes the operation, the path parameters, the members of the body as received, and the content
 * of its files. The sizes of the files are hashed too, so that moving bytes from one file to the
 * next changes the hash.
 */
async function fingerprintOf({ operationId, path, received: { fields, file, files } }: KeyedRequest) {
  const hash = createHash("sha256").update(
    JSON.stringify([operationId, path, fields, ...files.map(({ size }) => size)]),
  );
  for (const { path: stored } of file ? [file] : files) await pipeline(createReadStream(stored), hash, { end: false });
  return hash.digest("hex");
}

const isText = (body: unknown): body is AsyncIterable<string> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

/**
 * Yields a streamed reply, then releases the key unless the reply was stored. A reply that failed
 * or was cancelled is not stored, so a retry does the work again.
 */
async function* releasedAtTheEnd(pieces: AsyncIterable<string>, claim: KeyClaim) {
  try {
    yield* pieces;
  } finally {
    await claim.release();
  }
}
