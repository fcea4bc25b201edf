/** Answers a request that bears an idempotency key: the first time by doing the work, after that with what was answered then. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import type { FirstRequest, KeptAnswer } from "../features/idempotency/idempotency.service.ts";
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

/** Failures are not kept: they have left nothing behind, so that whoever sends the request again is the first again. */
export async function answerOnce(
  begin: (fingerprint: string) => Promise<FirstRequest | KeptAnswer>,
  request: KeyedRequest,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const begun = await begin(await fingerprintOf(request));
  if (!("keep" in begun)) {
    const headers = { ...begun.headers, [idempotencyKey.replayedHeader]: "true" };
    return { ...begun, headers, body: typeof begun.body === "string" ? inOnePiece(begun.body) : begun.body };
  }
  const given = await answer().catch(async (error) => {
    await begun.release();
    throw error;
  });
  if (isText(given.body)) return { ...given, body: keptAtTheEnd(given.body, given, begun) };
  // Where this fails the work has been done all the same, so the key is not released.
  await begun.keep(given);
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

async function* keptAtTheEnd(pieces: AsyncIterable<string>, answer: Answer, begun: FirstRequest) {
  let text = "";
  let complete = false;
  try {
    for await (const piece of pieces) {
      text += piece;
      yield piece;
    }
    complete = true;
  } finally {
    if (complete) await begun.keep({ ...answer, body: text });
    else await begun.release();
  }
}
