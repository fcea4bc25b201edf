/**
 * Builds the web application into `web/dist`. Runs when packages are installed (`prepare`). Does
 * nothing without the development dependencies; the service then serves only the API.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The part of Vite's API that is used here. Its types are installed only for `web/`. */
interface Vite {
  build(options: { root: string; logLevel: "warn" }): Promise<unknown>;
}

const web = join(import.meta.dirname, "../web");
const vite = findVite();
if (vite === undefined) console.log("The web application is not built: the development dependencies are missing.");
else {
  // The tools for translated messages look for their configuration in the working directory.
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
