/**
 * Bundles dependencies of many modules into one file each, which `server/src/lib/process-setup.ts`
 * loads instead of them. Runs when packages are installed (`prepare`). Without the development
 * dependencies nothing is bundled, and the modules are loaded one by one.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "node_modules/.cache/sheaf-bundles");

await rm(folder, { recursive: true, force: true });
const esbuild = await import("esbuild").catch((error: NodeJS.ErrnoException) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
});
await esbuild?.build({
  stdin: { contents: 'export * from "kysely";', resolveDir: join(root, "server") },
  outfile: join(folder, "kysely.js"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: `node${process.versions.node}`,
  legalComments: "inline",
});
