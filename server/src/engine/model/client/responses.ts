/**
 * Reads responses of an endpoint. Limits their size, counts the tokens used, and yields to the
 * event loop in between.
 */
import { setImmediate } from "node:timers/promises";
import { ModelFailure } from "../../engine.ts";
import type { ModelUse } from "../../meter.ts";
import type { MaxBytes, Posted } from "./http-transport.ts";
import { StreamedUse, type UseBounds, useOfAnswer, withoutUseIn } from "./token-counts.ts";

/** Reports the token use of one HTTP call. Reporting the same call again has no effect. */
export type Reconcile = (use: ModelUse) => Promise<void>;

/** A transient failure, for which a retry may help. */
export class PassingFailure extends ModelFailure {
  readonly afterMs: number | undefined;

  constructor(message: string, options: { afterMs?: number | undefined; cause?: unknown } = {}) {
    super("unavailable", message, { cause: options.cause });
    this.afterMs = options.afterMs;
  }
}

/** Converts a connection error into a transient failure. Returns a ModelFailure unchanged. */
export function passing(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new PassingFailure(`No connection to the model endpoint${code === undefined ? "" : ` (${code})`}.`, {
    cause: error,
  });
}

/**
 * Maximum number of bytes in a response that are not part of the answer itself, such as names, ids
 * and content-filter results. Chosen with a margin, 2026-11.
 */
const frameBytes = 262_144;
/**
 * Maximum number of response bytes per token. In JSON, a token takes 4 bytes on average, and up to
 * 100 if it is white space. A token that is sent as a separate event takes about 300 bytes.
 * Measured on the recorded responses of four servers, with a margin, 2026-11.
 */
const bytesPerToken = { json: 128, eventStream: 1_024 };

/** Returns the maximum size, in bytes, of a response with up to `maxOutputTokens` tokens. */
export const maxBytesOf = (maxOutputTokens: number, maxJsonBytes?: number): MaxBytes => ({
  json: maxJsonBytes ?? frameBytes + bytesPerToken.json * maxOutputTokens,
  eventStream: frameBytes + bytesPerToken.eventStream * maxOutputTokens,
});

/** Reads a response to its end. Returns it without its usage figures. */
export async function whole(
  posted: Posted,
  bounds: UseBounds,
  signal: AbortSignal,
  reconcile: Reconcile,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of posted.body) chunks.push(chunk);
  } catch (error) {
    await reconcile(useOfAnswer(Buffer.concat(chunks).toString(), bounds));
    throw signal.aborted ? error : passing(error);
  }
  const text = Buffer.concat(chunks).toString();
  await reconcile(useOfAnswer(text, bounds));
  return withoutUseIn(text);
}

/**
 * Number of bytes that are parsed before the event loop gets a turn. If the events are small,
 * parsing this many bytes takes at most 20 ms. Measured, 2026-11.
 */
const sliceBytes = 8_192;

export function streamed(posted: Posted, bounds: UseBounds, signal: AbortSignal, reconcile: Reconcile): Response {
  const counted = new StreamedUse(bounds);
  // A reader that stops early never reaches the end of the stream, where the token use is recorded.
  // So an abort records it too. If recording fails, code that awaits `records` gets the error.
  const stop = (): void => void reconcile(counted.use).catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  async function* passedOn(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of posted.body)
        for (let start = 0; start < chunk.length; start += sliceBytes) {
          const lines = counted.push(chunk.subarray(start, start + sliceBytes));
          if (lines !== "") yield Buffer.from(lines);
          // Without this pause, a stream that always has data ready would be read in microtasks
          // alone, and nothing else would run.
          await setImmediate();
        }
      yield Buffer.from(counted.end());
    } catch (error) {
      throw passing(error);
    } finally {
      await reconcile(counted.use);
    }
  }
  return new Response(ReadableStream.from(passedOn()) as ReadableStream<Uint8Array>, {
    headers: { "content-type": "text/event-stream" },
  });
}

interface PlainAnswer {
  choices?: { message?: { tool_calls?: object[] } & Record<string, unknown> }[];
}

/** Converts a whole response into a stream of one event, for endpoints that ignore `stream`. */
export function asEventStream(text: string): string {
  let answer: PlainAnswer;
  try {
    answer = JSON.parse(text) as PlainAnswer;
  } catch (error) {
    throw new ModelFailure("malformed", "The model endpoint did not respond with the requested stream.", {
      cause: error,
    });
  }
  const choices = (Array.isArray(answer?.choices) ? answer.choices : []).map(({ message = {}, ...choice }) => {
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : undefined;
    return { ...choice, delta: { ...message, tool_calls: calls?.map((call, index) => ({ index, ...call })) } };
  });
  return `data: ${JSON.stringify({ ...answer, choices })}\n\ndata: [DONE]\n\n`;
}
