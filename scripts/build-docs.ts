/**
 * `node scripts/build-docs.ts [FOLDER]`: builds the documentation into `web/docs-site/dist`, from
 * the Markdown pages and the OpenAPI document of this repository. Runs when packages are installed
 * (`prepare`). Fails if a link is broken. Does nothing without the development dependencies; the
 * service then has no `/docs`.
 */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The part of the builder that is used here. The builder's own types are not imported, because its
 * libraries need the type definitions of browsers.
 */
interface Builder {
  buildSite(root: string, out: string): Promise<string[]>;
}

const root = resolve(import.meta.dirname, "..");

if (hasDevelopmentDependencies()) {
  const { href } = pathToFileURL(join(root, "web/docs-site/build-site.ts"));
  const { buildSite } = (await import(href)) as Builder;
  const problems = await buildSite(root, resolve(process.argv[2] ?? join(root, "web/docs-site/dist")));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} else console.log("The documentation is not built: the development dependencies are missing.");

function hasDevelopmentDependencies(): boolean {
  try {
    createRequire(join(root, "web/package.json")).resolve("marked");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}
