/**
 * Sets up the process before the program is loaded: its memory allocator, the cache of compiled
 * modules, and bundled dependencies.
 */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { enableCompileCache, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fewArenas } from "./arenas.ts";
import { bundlesFolder } from "./bundles-folder.ts";

/**
 * Initial size of a semi-space in V8's young generation, in MB. With the default of 1 MB, loading
 * the modules at start-up fills the semi-space many times. Measured over 8 alternating starts
 * (2026-11): 8 MB saves 40 of 680 ms of processor time and costs 7 MiB of memory.
 */
export const youngSpace = "--min-semi-space-size=8";

const packages = join(import.meta.dirname, "../../../node_modules");
/** File with all modules of kysely, made by `scripts/bundle-dependencies.ts`. */
export const kyselyBundle = join(bundlesFolder, "kysely.js");

/**
 * For `serve`, re-executes the process (same pid) once, with few allocator arenas and with the
 * compile cache. Both settings are read before the first line of a program runs. `npm start`
 * already sets both, so no second execution is needed. Other commands are not re-executed and use
 * the compile cache from this call on.
 */
export function setUpProcess(command: string | undefined, environment: NodeJS.ProcessEnv = process.env): void {
  const serves = command === "serve";
  const cache = environment.NODE_COMPILE_CACHE ?? cacheFolder(serves ? environment.SHEAF_DATA_DIR : undefined);
  if (serves) reExecute(environment, cache);
  if (cache !== undefined) enableCompileCache(cache);
  useKyselyBundle();
}

/**
 * Loads kysely from one bundle instead of 257 modules, if the bundle was built when the packages
 * were installed. This saves 150 of 680 ms at start-up (2026-11).
 */
function useKyselyBundle(): void {
  if (!existsSync(kyselyBundle)) return;
  const url = pathToFileURL(kyselyBundle).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "kysely" ? { url, shortCircuit: true } : next(specifier, context),
  });
}

function reExecute(environment: NodeJS.ProcessEnv, cache: string | undefined): void {
  if (process.platform !== "linux" || environment.MALLOC_ARENA_MAX !== undefined) return;
  // Does not re-execute if the parent opened an IPC channel, because that would close the channel.
  if (process.connected) return;
  const { execPath, execArgv, argv } = process;
  const settings = { ...environment, ...fewArenas, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) };
  process.execve?.(execPath, [execPath, ...execArgv, youngSpace, ...argv.slice(1)], settings);
}

/**
 * Returns a folder for the cache. Cached code is executed, so the folder must be writable only by
 * users who can also write the program and its keys. Prefers the folder of the installed packages,
 * so that a new installation starts with an empty cache. Returns a folder in the data folder if the
 * installation is read-only.
 */
function cacheFolder(dataDir: string | undefined): string | undefined {
  const candidates = [join(packages, ".cache/sheaf"), ...(dataDir === undefined ? [] : [join(dataDir, "cache")])];
  return candidates.find(isWritable);
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
