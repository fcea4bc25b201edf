/**
 * `npm run fit -- check`: repeats the fits that are quick, and compares the files that they write
 * with the committed files. Restores files that differ, and exits with 1.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitBoundaries } from "./boundaries/fit-boundaries.ts";
import { fitLists } from "./lists/fit-lists.ts";
import { fitConcepts } from "./meaning/fit-concepts.ts";

interface QuickFit {
  run: (args: readonly string[]) => void | Promise<void>;
  /** Files that the fit writes, relative to `server/src`. */
  files: readonly string[];
}

const quickFits: Record<string, QuickFit> = {
  concepts: { run: fitConcepts, files: ["language/concepts.bin"] },
  boundaries: { run: fitBoundaries, files: ["engine/classify/boundary-weights.ts"] },
  lists: {
    run: fitLists,
    files: ["engine/extract/lists/column-weights.ts", "engine/extract/lists/section-weights.ts"],
  },
};

/** @param args names of the fits to check; all if empty */
export async function checkFits(args: readonly string[]): Promise<void> {
  for (const [name, { run, files }] of Object.entries(quickFits)) {
    if (args.length > 0 && !args.includes(name)) continue;
    const paths = files.map((file) => join(import.meta.dirname, "../server/src", file));
    const before = paths.map((path) => readFileSync(path));
    try {
      await run([]);
      for (const [at, path] of paths.entries())
        if (!before[at]?.equals(readFileSync(path))) {
          console.error(`${name}: the fit does not give the committed ${files[at]}`);
          process.exitCode = 1;
        }
    } finally {
      for (const [at, path] of paths.entries()) writeFileSync(path, before[at] ?? "");
    }
  }
}
