#!/usr/bin/env node
/**
 * Entry point of every command. Imports only what sets up the process: anything loaded before the
 * re-execution is loaded twice.
 */
import { setUpProcess } from "./lib/process-setup.ts";

// Only the user of this process may read the database, the index and backups, even in folders that
// others can open.
process.umask(0o077);
setUpProcess(process.argv[2]);
await import("./command-line.ts");
