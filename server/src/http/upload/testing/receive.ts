/** Helpers for upload tests: bodies split into chunks, a sink in memory, the issues of an error. */
import type { Issue } from "@sheaf/contract/errors.ts";
import { AppError } from "../../../lib/errors.ts";
import { receiveUpload, type UploadBody, type UploadLimits, uploadLimits } from "../receive-upload.ts";

/** Yields the bytes in chunks that end at the given offsets. The offsets need not be sorted. */
export async function* chunksCutAt(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const end = Math.min(cut, bytes.length);
    if (end < start) continue;
    yield bytes.subarray(start, end);
    start = end;
  }
  yield bytes.subarray(start);
}

/** Yields the bytes in chunks of equal size. */
export async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/**
 * A sink in memory. It copies each chunk asynchronously and then overwrites the chunk, as if the
 * caller reused the buffer.
 */
export class MemorySink {
  readonly chunks: Buffer[] = [];

  async write(chunk: Buffer): Promise<void> {
    await Promise.resolve();
    this.chunks.push(Buffer.from(chunk));
    chunk.fill(0xee);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

export interface Received extends UploadBody {
  bytes: Buffer;
}

/**
 * Receives a whole body in chunks. `chunks` is the size of all chunks or a list of the offsets at
 * which they end.
 */
export async function receive(
  body: string | Uint8Array,
  { limits = uploadLimits(1024 * 1024), chunks = 65_536 }: { limits?: UploadLimits; chunks?: number | number[] } = {},
): Promise<Received> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const source = typeof chunks === "number" ? chunksOf(bytes, chunks) : chunksCutAt(bytes, chunks);
  const sink = new MemorySink();
  return { ...(await receiveUpload(source, sink, limits)), bytes: sink.bytes };
}

/** Returns the issues of an `invalid_request` error. Rethrows any other error. */
export function issuesOf(error: unknown): Issue[] {
  if (error instanceof AppError && error.code === "invalid_request")
    return (error as AppError<"invalid_request">).detail?.issues ?? [];
  throw error;
}
