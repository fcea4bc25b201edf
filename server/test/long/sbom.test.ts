/** The software bills of materials list every package that a release contains. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../helpers/process.ts";

const root = join(import.meta.dirname, "../../..");

interface Locked {
  /** Real name of the package. Present only if the package is installed under a different name. */
  name?: string;
  version: string;
  dev?: boolean;
  link?: boolean;
}

test("the bills of materials of a release list exactly its packages", { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  await promisify(execFile)(process.execPath, [join(root, "scripts/write-sbom.ts"), folder.path]);
  const billOf = async (file: string) => {
    const { bomFormat, metadata, components } = JSON.parse(await readFile(join(folder.path, file), "utf8"));
    assert.deepEqual([bomFormat, metadata.component.name], ["CycloneDX", "sheaf"]);
    return new Set(components.map((component: { purl: string }) => decodeURIComponent(component.purl)));
  };
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const locked = Object.entries<Locked>(packages).filter(([path]) => path.includes("node_modules/"));
  const purlOf = ([path, { name, version }]: [string, Locked]) =>
    `pkg:npm/${name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`;
  const runtime = locked.filter(([, { dev, link }]) => !dev && !link).map(purlOf);
  const own = ["client", "contract", "mcp", "server"].map((name) => `pkg:npm/@sheaf/${name}@0.1.0`);
  assert.deepEqual([...(await billOf("sheaf.cdx.json"))].sort(), [...new Set([...runtime, ...own])].sort());
  const web = await billOf("sheaf-web.cdx.json");
  for (const name of ["react", "react-dom", "@tanstack/react-router", "minisearch"])
    assert.ok(web.has(`pkg:npm/${name}@${packages[`node_modules/${name}`].version}`), name);
});
