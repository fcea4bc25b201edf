/** The chunks of a request body, until it ends, a signal aborts, or the body comes too slowly. */
import { Readable } from "node:stream";
import { invalidRequest } from "./invalid-request.ts";

/** So long a body may keep the service waiting. What arrives earns time again, up to as much, at this rate. */
const patienceMs = 11_000;
const leastBytesPerMs = 1;

/**
 * Yields the body's chunks as Buffers over the same memory. Ends with the signal's reason as soon as it aborts, even while the body
 * is silent, and with `invalid_request` where it is slower than the least rate. Only time that is spent waiting for the body counts, not
 * that of whoever takes the chunks. A stream is left as it is when the reading stops early: destroying a request would close the socket of its reply.
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
    // Not awaited: after an abort the iterator may be waiting for a chunk that never comes.
    iterator.return?.().catch(() => {});
  }
}

/** Not a race against one promise of the signal: that would keep a reaction for every chunk until the body ends. */
function nextUnlessAborted(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
  withinMs: number,
): Promise<IteratorResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    // After a turn that was long, timers are due before what has arrived meanwhile is read: that comes first.
    const timer = setTimeout(() => setImmediate(reject, invalidRequest("", "the body comes too slowly")), withinMs);
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
