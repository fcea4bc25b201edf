/**
 * Removes the libraries for other platforms from the package `onnxruntime-node`, which contains
 * those for all platforms. This reduces its size from 98 MB to 18 MB. Runs when packages are
 * installed (`prepare`).
 */
import { readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const runtimes = runtimeFolder();
if (runtimes !== undefined) {
  for (const platform of await readdir(runtimes)) {
    const folder = join(runtimes, platform);
    if (platform !== process.platform) await rm(folder, { recursive: true });
    else await keepOnly(folder, process.arch);
  }
}

/** Returns the folder of the package; undefined if it is not installed, because it is optional. */
function runtimeFolder(): string | undefined {
  try {
    const { resolve } = createRequire(join(import.meta.dirname, "../server/package.json"));
    return join(dirname(resolve("onnxruntime-node/package.json")), "bin/napi-v3");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

async function keepOnly(folder: string, name: string): Promise<void> {
  for (const each of await readdir(folder)) {
    if (each !== name) await rm(join(folder, each), { recursive: true });
  }
}
