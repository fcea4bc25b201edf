/**
 * Builds the published package in `dist/` or the given folder, with JavaScript and declarations
 * instead of TypeScript: `npm run build && npm publish ./dist`.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, "dist"));
const tsc = resolve(here, "../node_modules/typescript/bin/tsc");

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "-p", join(here, "tsconfig.build.json"), "--outDir", dist], { stdio: "inherit" });
chmodSync(join(dist, "main.js"), 0o755);
copyFileSync(join(here, "README.md"), join(dist, "README.md"));
copyFileSync(join(here, "../LICENSE"), join(dist, "LICENSE"));

const { private: _, scripts: __, ...manifest } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const published = {
  ...manifest,
  bin: { "sheaf-mcp": "./main.js" },
  exports: { ".": { types: "./bridge.d.ts", default: "./bridge.js" } },
};
writeFileSync(join(dist, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
