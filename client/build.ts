/**
 * Builds `dist/` with JavaScript and declarations. With the argument `published` or `source`, sets
 * the entry points of package.json to `dist/` or `src/` instead. `npm pack` and `npm publish` build
 * and set `published` before packing, and set `source` afterwards. At all other times, package.json
 * must name the TypeScript sources, which the repository imports without a build.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const dist = join(here, "dist");
const license = join(here, "LICENSE");
const manifestPath = join(here, "package.json");

const entries = {
  source: {
    exports: { ".": "./src/index.ts" },
    imports: { "#open-path": { node: "./src/open-path.node.ts", default: "./src/open-path.ts" } },
  },
  published: {
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
    imports: { "#open-path": { node: "./dist/open-path.node.js", default: "./dist/open-path.js" } },
    main: "./dist/index.js",
    types: "./dist/index.d.ts",
  },
};

const [form] = process.argv.slice(2);
if (form === undefined) build();
else if (form === "published" || form === "source") setEntries(form);
else throw new Error(`Expected "published" or "source", not ${form}.`);

function build(): void {
  const tsc = resolve(here, "../node_modules/typescript/bin/tsc");
  rmSync(dist, { recursive: true, force: true });
  execFileSync(process.execPath, [tsc, "-p", join(here, "tsconfig.build.json"), "--outDir", dist], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // tsc rewrites imports in JavaScript, but not in declarations.
  for (const file of globSync("**/*.d.ts", { cwd: dist })) rewrite(join(dist, file));
}

function rewrite(path: string): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/(from |import\()"(\.[^"]*)\.ts"/g, '$1"$2.js"'));
}

/** Sets the entry points of package.json. Has no effect if they are set already. */
function setEntries(form: keyof typeof entries): void {
  const { main: _, types: __, ...manifest } = JSON.parse(readFileSync(manifestPath, "utf8"));
  writeFileSync(manifestPath, `${JSON.stringify({ ...manifest, ...entries[form] }, null, 2)}\n`);
  if (form === "published") copyFileSync(join(here, "../LICENSE"), license);
  else rmSync(license, { force: true });
}
