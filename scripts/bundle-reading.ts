/**
 * Bundles the modules of each program that runs in a reading process into one file.
 * `server/src/reading/pool/program-file.ts` prefers that file to the modules. Runs when packages
 * are installed (`prepare`) and before tests. Does nothing without the development dependencies;
 * the modules are then loaded one by one.
 */
import { globSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type BundleManifest,
  bundleFolder,
  digestOf,
  hasBundles,
  readingFolder,
} from "../server/src/reading/pool/program-file.ts";
import { loadEsbuild } from "./load-esbuild.ts";

if (!hasBundles(bundleFolder)) await bundle();

async function bundle(): Promise<void> {
  const esbuild = await loadEsbuild();
  if (esbuild === undefined) return;
  const made = `${bundleFolder}-${process.pid}`;
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: readingFolder,
    entryPoints: globSync("{child/*-entry.ts,testing/*-process.ts}", { cwd: readingFolder }),
    outdir: made,
    outbase: readingFolder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: `node${process.versions.node}`,
    metafile: true,
    write: false,
  });
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
  const modules = Object.keys(metafile.inputs).sort();
  const digest = digestOf(modules) ?? "";
  await writeFile(join(made, "manifest.json"), JSON.stringify({ modules, digest } satisfies BundleManifest));
  await rm(bundleFolder, { recursive: true, force: true });
  await rename(made, bundleFolder);
}
