/** Where there are no paths: browsers and the like. */
import type { OpenedFile } from "./file-source.ts";

export async function openPath(_path: string | URL): Promise<OpenedFile> {
  throw new TypeError("There are no paths on this platform: pass a Blob, bytes or a stream.");
}
