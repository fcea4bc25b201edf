#!/usr/bin/env node
/**
 * Entry point of every command. Imports only the process set-up, because `serve` may execute the
 * program a second time. Anything that was loaded before that would be loaded twice.
 */
import { setUpProcess } from "./lib/process-setup.ts";

// Only the user of this process may read the database, the index and backups, even in folders that
// others can open.
process.umask(0o077);
setUpProcess(process.argv[2]);
await import("./command-line.ts");
