/** The chunks of a request body, until it ends or a signal aborts. */
import { Readable } from "node:stream";

/**
 * Yields the body's chunks as Buffers over the same memory. Ends with the signal's reason as soon as it aborts, even while the body
 * is silent. A stream is left as it is when the reading stops early: destroying a request would close the socket of its reply.
 */
export async function* readUntilAborted(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const iterator = body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextUnlessAborted(iterator, signal);
      if (next.done) return;
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
): Promise<IteratorResult<Uint8Array>> {
  if (signal === undefined) return iterator.next();
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
