/** How many connections the service may have: no more than leave it open files for its own work. */
import { readFile } from "node:fs/promises";
import type { Logger } from "../lib/log.ts";

/** For the database, stored files, the index, and what reads documents. */
const filesForWork = 500;

/** `wanted`, or what the system's limit on open files allows. */
export async function maxConnectionsOf(wanted: number, log: Logger): Promise<number> {
  const files = await openFilesLimit();
  const allowed = Math.max(Math.floor(files / 2), files - filesForWork);
  if (wanted <= allowed) return wanted;
  log.warn({ wanted, allowed }, "the limit on open files allows fewer connections than SHEAF_MAX_CONNECTIONS");
  return allowed;
}

/** Infinity where the system has no limit, or does not say so as Linux does. */
async function openFilesLimit(): Promise<number> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
