/**
 * Fails if an import violates the layering of the architecture, or if imports form a cycle.
 *
 *   contract ← {lib, language} ← {records, files, search, antivirus, net, reading, engine} ← jobs
 *     ← features ← http ← telemetry ← store ← {installation, corpus} ← compose ← commands ← command-line ← main
 *
 * A part may import the parts on its left. Parts in the same braces do not import each other, with
 * one exception: `engine` and `search` import the Document type, `reading/document.ts`. Other parts
 * import only files that are directly in the folder `engine`. Within `reading`, only `pool/`
 * imports other parts, because the child processes cannot read other folders. Only `search` and
 * `engine` import `language`. Of the parts in the braces on its left, `jobs` imports only
 * `records`. A feature imports no file of another feature except its service. `config.ts` is
 * imported only by store, installation, corpus, compose, commands and the command line. Commands
 * that use a running service import the client. Tests may import anything.
 *
 * In `web/`: ui ← app ← document ← screens. A screen imports another screen only if `webScreens`
 * lists it; the router imports the routes of all screens. Of the other packages of this repository,
 * the web application imports only the client.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Parts of `server/src` that each part may import, besides itself. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  lib: ["contract"],
  records: ["contract", "lib"],
  files: ["contract", "lib"],
  reading: ["contract", "lib"],
  language: [],
  search: ["contract", "lib", "language"],
  antivirus: ["contract", "lib"],
  net: ["contract", "lib"],
  engine: ["contract", "lib", "language"],
  jobs: ["contract", "lib", "records"],
  features: ["contract", "lib", "records", "files", "search", "antivirus", "net", "reading", "engine", "jobs"],
  http: ["contract", "lib", "files", "antivirus", "features"],
  telemetry: ["contract", "lib", "records", "antivirus", "net", "reading", "engine", "jobs", "http"],
  settings: ["contract", "lib"],
  config: ["contract", "lib", "settings"],
  store: ["contract", "lib", "files", "config"],
  installation: ["contract", "lib", "records", "files", "features", "config", "store"],
  corpus: ["contract", "lib", "records", "files", "search", "features", "config", "store"],
  compose: [
    "contract",
    "lib",
    "records",
    "files",
    "search",
    "antivirus",
    "net",
    "reading",
    "engine",
    "jobs",
    "features",
    "http",
    "telemetry",
    "config",
    "store",
    "installation",
    "corpus",
  ],
  commands: [
    "contract",
    "lib",
    "reading",
    "features",
    "http",
    "config",
    "store",
    "installation",
    "corpus",
    "compose",
    "client",
  ],
  "command-line": ["lib", "config", "commands"],
  main: ["lib", "command-line"],
};

/**
 * Other folders of `reading/` that each folder may import. If several of these paths match a file,
 * the longest one applies. `pool` runs in the service; all others except `document.ts` and
 * `reader.ts` run only in the child processes.
 */
const readingFolders: Record<string, readonly string[]> = {
  "document.ts": [],
  "reader.ts": ["document.ts"],
  "document-of-pages.ts": ["document.ts", "reader.ts"],
  "open-reader.ts": ["document.ts", "reader.ts", "pool/"],
  "pool/": ["document.ts", "reader.ts", "document-of-pages.ts", "pool/messages.ts"],
  "pixels/": ["document.ts"],
  "codes/": ["document.ts", "pixels/"],
  "layout/": ["document.ts"],
  "ocr/": ["document.ts", "reader.ts", "pixels/", "layout/"],
  "formats/ooxml/": ["document.ts", "reader.ts", "layout/"],
  "formats/docx/": ["document.ts", "reader.ts", "formats/ooxml/"],
  "formats/xlsx/": ["document.ts", "reader.ts", "formats/ooxml/", "layout/"],
  "formats/image/": ["document.ts", "reader.ts", "pixels/", "ocr/", "codes/", "formats/format.ts"],
  "formats/pdf/": [
    ...["document.ts", "reader.ts", "document-of-pages.ts", "pixels/", "layout/", "ocr/", "codes/"],
    ...["formats/format.ts", "formats/incoming-file.ts"],
  ],
  "formats/format.ts": ["document.ts"],
  "formats/incoming-file.ts": [],
  "formats/": [
    ...["document.ts", "reader.ts", "ocr/", "codes/", "formats/format.ts", "formats/incoming-file.ts"],
    ...["formats/pdf/", "formats/image/", "formats/docx/", "formats/xlsx/"],
  ],
  "child/": [
    ...["reader.ts", "ocr/", "codes/", "pool/messages.ts"],
    ...["formats/", "formats/format.ts", "formats/incoming-file.ts", "formats/pdf/"],
  ],
  "pool/messages.ts": ["document.ts", "reader.ts", "pool/page-extras.ts"],
  "pool/page-extras.ts": ["document.ts"],
  "golden/": ["document.ts", "reader.ts", "open-reader.ts", "testing/"],
  "testing/": [],
};

/**
 * The lowest folders of `engine/`, which most other folders may import. `engineFolders` lists what
 * each folder may import. Only `model`, `open-engine.ts` and `open-embedder.ts` use language
 * models. Every folder may import the types of `engine.ts` and `answering.ts`.
 */
const lowestFolders = ["engine.ts", "answering.ts", "memory.ts", "lexicon/", "page/", "values/"];
const extractFolders = [
  "extract/labels/",
  "extract/candidates/",
  "extract/parties/",
  "extract/ranking/",
  "extract/lists/",
  "extract/memory/",
];
const engineFolders: Record<string, readonly string[]> = {
  "meter.ts": ["engine.ts"],
  "engine.ts": ["answering.ts", "meter.ts", "memory.ts"],
  "answering.ts": ["engine.ts", "meter.ts"],
  "memory.ts": ["engine.ts"],
  "lexicon/": ["engine.ts"],
  "page/": ["engine.ts", "lexicon/"],
  "values/": ["engine.ts", "lexicon/", "page/"],
  "extract/labels/": lowestFolders,
  "extract/candidates/": [...lowestFolders, "extract/labels/"],
  "extract/parties/": [...lowestFolders, "extract/labels/", "extract/candidates/"],
  "extract/ranking/": [...lowestFolders, "extract/labels/", "extract/candidates/", "extract/parties/"],
  "extract/lists/": [...lowestFolders, "extract/labels/", "extract/candidates/"],
  "extract/memory/": [...lowestFolders, "extract/labels/"],
  "extract/": [...lowestFolders, ...extractFolders],
  "classify/": lowestFolders,
  "propose/": [...lowestFolders, "extract/", ...extractFolders, "classify/"],
  "answer/": [
    ...lowestFolders,
    ...["extract/", "extract/labels/", "extract/candidates/", "extract/parties/", "extract/ranking/", "extract/lists/"],
  ],
  "ground/": [...lowestFolders, "extract/labels/", "extract/candidates/", "answer/"],
  "threads/": [
    "engine.ts",
    "answering.ts",
    "memory.ts",
    "extract/",
    "extract/memory/",
    "classify/",
    "propose/",
    "answer/",
    "ground/",
  ],
  "model/": [
    ...["engine.ts", "answering.ts", "meter.ts", "page/", "values/"],
    ...["extract/", "classify/", "answer/", "ground/", "threads/"],
  ],
  "open-embedder.ts": ["engine.ts", "model/"],
  "open-engine.ts": ["engine.ts", "answering.ts", "meter.ts", "answer/", "threads/", "model/"],
};

/** Other folders of `web/src` that each folder may import. */
const webFolders: Record<string, readonly string[]> = {
  "main.tsx": ["app", "ui", "styles.css"],
  ui: [],
  app: ["ui"],
  document: ["ui", "app"],
  screens: ["ui", "app", "document"],
};
/** Screens that a screen may import from, because they share a component or query. */
const webScreens: Record<string, readonly string[]> = {
  account: ["sign-in"],
  assistants: ["corpora"],
  "sign-in": ["start"],
};

/**
 * Rules for imports between the folders of a part. Parts that are missing here have no such rules.
 */
const foldersOf: Record<string, Record<string, readonly string[]>> = { reading: readingFolders, engine: engineFolders };

const documentType = "server/src/reading/document.ts";

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const files = globSync(["contract/src/**/*.ts", "server/src/**/*.ts", "web/src/**/*.{ts,tsx}"], { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.endsWith(".test.ts") && !file.includes("/testing/"));
const imports = files.flatMap(importsOf);
const problems = [...imports.flatMap(forbidden), ...cycles(imports)];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${imports.length} imports, ${problems.length} forbidden`);
if (problems.length > 0 || imports.length === 0) process.exitCode = 1;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+["']([^"']+)["']|import\(["']([^"']+)["']\)|(?:^|\n)\s*import\s+["']([^"']+)["']/g,
  );
  return [...found].flatMap(([, type, from, dynamic, effect]) => {
    const to = target(file, (from ?? dynamic ?? effect) as string);
    return to === undefined ? [] : [{ from: file, to, typeOnly: type !== undefined }];
  });
}

/** Returns the path of an imported file of this repository; undefined for a library. */
function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith("@sheaf/contract/")) return `contract/src/${specifier.slice("@sheaf/contract/".length)}`;
  if (specifier === "@sheaf/client") return "client/src/index.ts";
  if (!specifier.startsWith(".")) return undefined;
  return relative(root, join(root, dirname(file), specifier)).replaceAll("\\", "/");
}

/**
 * Returns the part that a file belongs to: the folder in `server/src`, or the name of a file
 * directly in it.
 */
function partOf(file: string): string {
  const [, own] = /^(contract|client)\//.exec(file) ?? [];
  if (own !== undefined) return own;
  return (file.split("/")[2] ?? "").replace(/\.ts$/, "");
}

function forbidden({ from, to }: Import): string[] {
  if (to.endsWith("package.json")) return [];
  if (from.startsWith("web/")) return mayReachInWeb(from, to) ? [] : [`${from} must not import ${to}`];
  const [fromPart, toPart] = [partOf(from), partOf(to)];
  const message = `${from} must not import ${to}`;
  const folders = foldersOf[fromPart];
  if (folders && fromPart === toPart) return mayReach(folders, from, to) ? [] : [message];
  if (fromPart === toPart)
    return isForeignFeature(from, to) && !to.endsWith(".service.ts")
      ? [`${message}: only the service of another feature may be imported`]
      : [];
  if ((fromPart === "engine" || fromPart === "search") && to === documentType) return [];
  if (fromPart === "reading" && !from.startsWith("server/src/reading/pool/"))
    return [`${message}: reading processes cannot read other folders`];
  if (toPart === "engine" && to.split("/").length > 4)
    return [`${message}: only files directly in the folder engine may be imported`];
  const parts = allowed[fromPart];
  if (parts === undefined) return [`${from} belongs to no known part`];
  return parts.includes(toPart) ? [] : [message];
}

function mayReachInWeb(from: string, to: string): boolean {
  if (to === "client/src/index.ts") return true;
  // Samples are not code. The browser downloads them as files.
  if (to.endsWith("?url")) return true;
  if (!to.startsWith("web/src/")) return false;
  const [, , folder = "", screen = ""] = from.split("/");
  const [, , toFolder = "", toScreen = ""] = to.split("/");
  if (folder === "screens" && toFolder === "screens")
    return screen === toScreen || (webScreens[screen] ?? []).includes(toScreen);
  if (from === "web/src/app/router.tsx" && to.endsWith("/routes.tsx")) return true;
  return folder === toFolder || (webFolders[folder] ?? []).includes(toFolder);
}

/** Returns whether the rules in `folders` allow an import between two folders of the same part. */
function mayReach(folders: Record<string, readonly string[]>, from: string, to: string): boolean {
  const [fromFolder, toFolder] = [folderOf(folders, from), folderOf(folders, to)];
  if (fromFolder === undefined || toFolder === undefined) return false;
  return fromFolder === toFolder || (folders[fromFolder] ?? []).includes(toFolder);
}

function folderOf(folders: Record<string, readonly string[]>, file: string): string | undefined {
  const path = file.split("/").slice(3).join("/");
  const around = Object.keys(folders).filter(
    (folder) => path === folder || (folder.endsWith("/") && path.startsWith(folder)),
  );
  return around.sort((a, b) => b.length - a.length)[0];
}

function isForeignFeature(from: string, to: string): boolean {
  return partOf(from) === "features" && from.split("/")[3] !== to.split("/")[3];
}

function cycles(all: Import[]): string[] {
  const graph = Map.groupBy(
    all.filter((each) => !each.typeOnly),
    (each) => each.from,
  );
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open")
      return void found.push(`import cycle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`);
    state.set(file, "open");
    for (const { to } of graph.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, "done");
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}
