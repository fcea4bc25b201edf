#!/usr/bin/env node
/**
 * Entry point of every command. Imports only what sets up the process: anything loaded before the
 * re-execution is loaded twice.
 */
import { setUpProcess } from "./lib/process-setup.ts";

// Only the own user may read the database, the index and backups, even in folders open to others.
process.umask(0o077);
setUpProcess(process.argv[2]);
await import("./command-line.ts");
