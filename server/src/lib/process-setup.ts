/**
 * Set-up that must precede loading the program: the allocator of the process, the cache of compiled
 * modules and bundled dependencies.
 */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { enableCompileCache, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fewArenas } from "./arenas.ts";
import { bundlesFolder } from "./bundles-folder.ts";

/**
 * Initial size of V8's space for new objects, in MB. Modules that are loaded at start fill the
 * default of 1 MB again and again. Over 8 alternating starts 8 MB saved 40 of 680 ms of processor
 * time and cost 7 MiB of memory (2026-11).
 */
export const youngSpace = "--min-semi-space-size=8";

const packages = join(import.meta.dirname, "../../../node_modules");
/** All modules of kysely in one file, made by `scripts/bundle-dependencies.ts`. */
export const kyselyBundle = join(bundlesFolder, "kysely.js");

/**
 * Re-executes the process (same pid) for `serve`, once, with few allocator arenas and with the
 * compile cache. Both are read before the first line of a program runs. `npm start` sets them
 * itself to avoid the second execution. Other commands use the compile cache from here on.
 */
export function setUpProcess(command: string | undefined, environment: NodeJS.ProcessEnv = process.env): void {
  const serves = command === "serve";
  const cache = environment.NODE_COMPILE_CACHE ?? cacheFolder(serves ? environment.SHEAF_DATA_DIR : undefined);
  if (serves) reExecute(environment, cache);
  if (cache !== undefined) enableCompileCache(cache);
  useKyselyBundle();
}

/**
 * Loads the bundle instead of the 257 modules of kysely, if it was made when the packages were
 * installed. Saves 150 of 680 ms of a start (2026-11).
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
  // A parent that opened an IPC channel would lose it.
  if (process.connected) return;
  const { execPath, execArgv, argv } = process;
  const settings = { ...environment, ...fewArenas, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) };
  process.execve?.(execPath, [execPath, ...execArgv, youngSpace, ...argv.slice(1)], settings);
}

/**
 * Returns a folder that is writable only for those who could change the program or its keys anyway,
 * because its content is executed. Prefers the installed packages, so that a new installation
 * starts with an empty cache; the data folder if the installation is read-only.
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
