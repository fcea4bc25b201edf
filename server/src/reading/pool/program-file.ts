/**
 * Finds the files that reading processes run. A confined process can't use Node's cache of compiled
 * modules, because whoever can write to that cache can choose the code of all later processes. So
 * Node would have to strip the types from every module at each start. To avoid that, the modules of
 * each program are bundled when the packages are installed. Starting a process takes 0.4 s of
 * processor time with the bundle and 1.1 s without (2026-11).
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundlesFolder } from "../../lib/bundles-folder.ts";

/** The folder `reading/`, which contains the programs of all reading processes. */
export const readingFolder = dirname(import.meta.dirname);
/** The folder into which `scripts/bundle-reading.ts` writes the bundles. */
export const bundleFolder = join(bundlesFolder, "reading");

export interface BundleManifest {
  /** Paths of the bundled modules, relative to `reading/`. */
  modules: string[];
  /** Digest of the modules, computed when they were bundled. */
  digest: string;
}

/** True if the bundles can be used. Undefined until the first process is started. */
let isUpToDate: boolean | undefined;

/**
 * Returns the file to run for `program`, which is a path inside `reading/`. This is the bundle of
 * the program. If there are no bundles or a module has changed since they were made, it is the
 * module itself.
 */
export function programFile(program: string): string {
  isUpToDate ??= hasBundles(bundleFolder);
  return isUpToDate ? bundleOf(program) : join(readingFolder, program);
}

export const bundleOf = (program: string): string => join(bundleFolder, program.replace(/\.ts$/, ".mjs"));

/**
 * Returns true if the bundles were made from the modules as they are now. The check takes 10 ms.
 */
export function hasBundles(folder: string): boolean {
  const path = join(folder, "manifest.json");
  if (!existsSync(path)) return false;
  const { modules, digest } = JSON.parse(readFileSync(path, "utf8")) as BundleManifest;
  return digestOf(modules) === digest;
}

/** Returns a digest of the given modules of `reading/`, or undefined if one of them is missing. */
export function digestOf(modules: readonly string[]): string | undefined {
  const hash = createHash("sha256");
  for (const module of modules) {
    const path = join(readingFolder, module);
    if (!existsSync(path)) return undefined;
    hash.update(`${module}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}
