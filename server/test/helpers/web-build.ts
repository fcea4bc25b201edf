/** Creates a small build of the web application, laid out as the service expects it at startup. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "./process.ts";

export const page = '<!doctype html><html lang="en"><title>Sheaf</title><script src="/assets/index-4f2a.js"></script>';
export const script = `console.log("${"sheaf ".repeat(400)}");`;

export interface WebBuild extends AsyncDisposable {
  folder: string;
}

/**
 * Creates a build in a new folder. The parent folder contains `secret.txt`, which must never be
 * served.
 */
export async function makeWebBuild(): Promise<WebBuild> {
  const around = await temporaryFolder();
  const folder = join(around.path, "dist");
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(around.path, "secret.txt"), "outside of the build");
  const files: Record<string, string | Buffer> = {
    "index.html": page,
    "assets/index-4f2a.js": script,
    "assets/index-77aa.css": "body{margin:0}".repeat(100),
    "assets/two words.svg": "<svg/>",
    "assets/font-1.woff2": Buffer.from([1, 2, 3]),
    "assets/unknown-1.bin": Buffer.from([4, 5]),
    "favicon.ico": Buffer.from([0, 0, 1, 0]),
    "manifest.webmanifest": "{}",
    ".hidden": "not to be served",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return { folder, [Symbol.asyncDispose]: () => around[Symbol.asyncDispose]() };
}
