/** Answers a request that bears an idempotency key: the first time by doing the work, after that with the reply that it stored. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import { KeyClaim, type StoredReply } from "../features/idempotency/idempotency.service.ts";
import type { ReceivedBody } from "./request-body.ts";

/** What is sent; text comes in pieces. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
}

/** What tells a request from any other. */
interface KeyedRequest {
  operationId: string;
  /** The parameters of the path. */
  path: unknown;
  received: ReceivedBody;
}

/** Failures are not stored: they have left nothing behind, so that whoever sends the request again is the first again. */
export async function answerOnce(
  begin: (fingerprint: string) => Promise<KeyClaim | StoredReply>,
  request: KeyedRequest,
  answer: (claim: KeyClaim) => Promise<Answer>,
): Promise<Answer> {
  const begun = await begin(await fingerprintOf(request));
  if (!(begun instanceof KeyClaim)) {
    const headers = { ...begun.headers, [idempotencyKey.replayedHeader]: "true" };
    return { ...begun, headers, body: typeof begun.body === "string" ? inOnePiece(begun.body) : begun.body };
  }
  const given = await answer(begun).catch(async (error) => {
    await begun.release();
    throw error;
  });
  if (isText(given.body)) return { ...given, body: releasedAtTheEnd(given.body, begun) };
  // The key is not released: the work has been done.
  if (!begun.hasReply)
    throw new Error(`${request.operationId} did not store its reply in the transaction of its work.`);
  return given;
}

/** The route, its parameters, the members of the body as they came, and the content of the file. */
async function fingerprintOf({ operationId, path, received: { fields, file } }: KeyedRequest) {
  const hash = createHash("sha256").update(JSON.stringify([operationId, path, fields]));
  if (file) await pipeline(createReadStream(file.path), hash, { end: false });
  return hash.digest("hex");
}

const isText = (body: unknown): body is AsyncIterable<string> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

/** Text that ended in an apology, or that nobody waited for, was not recorded. */
async function* releasedAtTheEnd(pieces: AsyncIterable<string>, claim: KeyClaim) {
  try {
    yield* pieces;
  } finally {
    await claim.release();
  }
}
