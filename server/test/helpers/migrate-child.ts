/** Migrates the database that its argument names, after saying that it is about to: to be killed meanwhile. */
import { openRecords } from "../../src/records/records.ts";

const records = openRecords({ ...JSON.parse(process.argv[2] ?? ""), onIdleError: () => {} });
process.send?.("migrating");
await records.migrate();
// Wait for the kill.
setInterval(() => {}, 1000);
