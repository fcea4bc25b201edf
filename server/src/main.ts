#!/usr/bin/env node
/** The entry of every command. Imports only what sets up the process: what is loaded before the process is re-executed is loaded twice. */
import { setUpProcess } from "./lib/process-setup.ts";

// The database, the index and backups are for their own user, in folders that others may look into.
process.umask(0o077);
setUpProcess(process.argv[2]);
await import("./command-line.ts");
