/** Replaces `open-path.node.ts` on platforms without file paths, such as browsers. */
import type { OpenedFile } from "./file-source.ts";

export async function openPath(_path: string | URL): Promise<OpenedFile> {
  throw new TypeError("Paths are not supported on this platform: pass a Blob, bytes or a stream.");
}
