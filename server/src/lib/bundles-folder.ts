import { join } from "node:path";

/**
 * Folder of the bundles, each made of many modules by `scripts/` when packages are installed. It is
 * inside the folder of the packages, which reading processes are allowed to read.
 */
export const bundlesFolder = join(import.meta.dirname, "../../../node_modules/.cache/sheaf-bundles");
