/**
 * The files that reading processes run. Node strips the types of each module at every start,
 * because a confined process can't have a cache of compiled modules: whoever may write that cache
 * can choose the code of all later processes. So the modules of each program are bundled when
 * packages are installed. Starting a process takes 0.4 s of processor time with the bundle and
 * 1.1 s without (2026-11).
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundlesFolder } from "../../lib/bundles-folder.ts";

/** The folder `reading/`, which contains all programs of reading processes. */
export const readingFolder = dirname(import.meta.dirname);
/** Made by `scripts/bundle-reading.ts`. */
export const bundleFolder = join(bundlesFolder, "reading");

export interface BundleManifest {
  /** Paths of the bundled modules, relative to `reading/`. */
  modules: string[];
  /** Digest of these modules at the time they were bundled. */
  digest: string;
}

/** Undefined until a process is started for the first time. */
let isUpToDate: boolean | undefined;

/**
 * Returns the file to run for `program`, a path inside `reading/`. That is its bundle; or the
 * module itself, if there is no bundle or if a module has changed since.
 */
export function programFile(program: string): string {
  isUpToDate ??= hasBundles(bundleFolder);
  return isUpToDate ? bundleOf(program) : join(readingFolder, program);
}

export const bundleOf = (program: string): string => join(bundleFolder, program.replace(/\.ts$/, ".mjs"));

/** Returns true if the bundles were made from the modules as they are now. Takes 10 ms. */
export function hasBundles(folder: string): boolean {
  const path = join(folder, "manifest.json");
  if (!existsSync(path)) return false;
  const { modules, digest } = JSON.parse(readFileSync(path, "utf8")) as BundleManifest;
  return digestOf(modules) === digest;
}

/** Returns the digest of modules of `reading/`; undefined if one of them is missing. */
export function digestOf(modules: readonly string[]): string | undefined {
  const hash = createHash("sha256");
  for (const module of modules) {
    const path = join(readingFolder, module);
    if (!existsSync(path)) return undefined;
    hash.update(`${module}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}
