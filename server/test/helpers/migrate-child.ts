/**
 * Migrates the database given as its argument. It first sends a message, so that its parent can
 * kill it during the migration.
 */
import { openRecords } from "../../src/records/records.ts";

const records = openRecords({ ...JSON.parse(process.argv[2] ?? ""), onIdleError: () => {} });
process.send?.("migrating");
await records.migrate();
// Waits until the parent kills it.
setInterval(() => {}, 1000);
