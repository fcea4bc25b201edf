/** Reads files by path. Each attempt to send a file opens it again. */
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { OpenedFile } from "./file-source.ts";

const chunkBytes = 256 * 1024;

export async function openPath(given: string | URL): Promise<OpenedFile> {
  const path = given instanceof URL ? fileURLToPath(given) : given;
  const { size } = await stat(path);
  return { name: basename(path), size, isRepeatable: true, chunks: () => readChunks(path) };
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  const buffer = new Uint8Array(chunkBytes);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
