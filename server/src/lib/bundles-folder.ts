import { join } from "node:path";

/**
 * Folder of the bundles. When packages are installed, `scripts/` combines many modules into each
 * bundle. The folder is inside `node_modules`, which reading processes are allowed to read.
 */
export const bundlesFolder = join(import.meta.dirname, "../../../node_modules/.cache/sheaf-bundles");
