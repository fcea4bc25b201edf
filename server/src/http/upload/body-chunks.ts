/**
 * Yields the chunks of a request body until it ends, a signal aborts, or the body arrives too
 * slowly.
 */
import { Readable } from "node:stream";
import { invalidRequest } from "./invalid-request.ts";

/**
 * Initial time budget of a body, in milliseconds. Received bytes add time to it, at the rate of
 * `leastBytesPerMs` and up to the initial budget.
 */
const patienceMs = 11_000;
const leastBytesPerMs = 1;

/**
 * Yields the chunks as Buffers without copying them. Throws the reason of the signal as soon as it
 * aborts, even while no bytes arrive. Throws `invalid_request` if the body is slower than the
 * minimum rate. Only time spent waiting for the body counts, not the time that the consumer takes.
 * If reading stops early, the stream is not destroyed, because that would close the socket of the
 * response.
 */
export async function* readUntilAborted(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const iterator = body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body[Symbol.asyncIterator]();
  let mayWaitMs = patienceMs;
  try {
    for (;;) {
      const waitsFrom = performance.now();
      const next = await nextUnlessAborted(iterator, signal, mayWaitMs);
      if (next.done) return;
      const waitedMs = performance.now() - waitsFrom;
      const leftMs = mayWaitMs - waitedMs + next.value.length / leastBytesPerMs;
      mayWaitMs = Math.min(patienceMs, Math.max(leftMs, 1));
      yield asBuffer(next.value);
    }
  } finally {
    // Not awaited: after an abort the iterator may wait for a chunk that never arrives.
    iterator.return?.().catch(() => {});
  }
}

/**
 * Returns the next chunk. Rejects on abort or after `withinMs`. Does not use `Promise.race` with
 * one promise for the whole body, because that promise would accumulate a handler for every chunk.
 */
function nextUnlessAborted(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
  withinMs: number,
): Promise<IteratorResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    // After a long turn of the event loop, timers fire before data that arrived during it is read.
    // So data is read once more before the body is refused.
    const timer = setTimeout(() => setImmediate(reject, invalidRequest("", "the body arrives too slowly")), withinMs);
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      });
  });
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
