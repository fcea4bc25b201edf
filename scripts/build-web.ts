/**
 * Builds the web application into `web/dist`. Runs when packages are installed (`prepare`). Without
 * the development dependencies nothing is built, and the service serves only the API.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The part of Vite used here. Only `web/` has its types. */
interface Vite {
  build(options: { root: string; logLevel: "warn" }): Promise<unknown>;
}

const web = join(import.meta.dirname, "../web");
const vite = findVite();
if (vite === undefined) console.log("The web application is not built: the development dependencies are missing.");
else {
  // The tools for translated messages look for their configuration in the current folder.
  process.chdir(web);
  const { build } = (await import(pathToFileURL(vite).href)) as Vite;
  await build({ root: web, logLevel: "warn" });
}

function findVite(): string | undefined {
  try {
    return createRequire(join(web, "package.json")).resolve("vite");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
