import { join } from "node:path";

/**
 * Folder of the files that `scripts/` bundles from many modules when packages are installed. It is
 * inside the packages, which reading processes may read.
 */
export const bundlesFolder = join(import.meta.dirname, "../../../node_modules/.cache/sheaf-bundles");
