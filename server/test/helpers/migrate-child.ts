/**
 * Child process that migrates the database given as its argument. Before it starts, it sends a
 * message to its parent, which then kills it during the migration.
 */
import { openRecords } from "../../src/records/records.ts";

const records = openRecords({ ...JSON.parse(process.argv[2] ?? ""), onIdleError: () => {} });
process.send?.("migrating");
await records.migrate();
// Keeps the process running until the parent kills it.
setInterval(() => {}, 1000);
