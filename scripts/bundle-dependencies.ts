/**
 * Bundles the modules of kysely into one file. `server/src/lib/process-setup.ts` loads that file
 * instead of the modules. Runs when packages are installed (`prepare`). Does nothing without the
 * development dependencies; the modules are then loaded one by one.
 */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { kyselyBundle } from "../server/src/lib/process-setup.ts";
import { loadEsbuild } from "./load-esbuild.ts";

await rm(kyselyBundle, { force: true });
const esbuild = await loadEsbuild();
await esbuild?.build({
  stdin: { contents: 'export * from "kysely";', resolveDir: dirname(import.meta.dirname) },
  outfile: kyselyBundle,
  bundle: true,
  format: "esm",
  platform: "node",
  target: `node${process.versions.node}`,
  legalComments: "inline",
});
