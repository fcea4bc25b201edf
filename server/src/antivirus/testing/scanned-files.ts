/**
 * Files to scan in tests, and an antivirus that uses clamd. Importing this module creates a folder
 * for the files of one test file.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openLog } from "../../lib/log.ts";
import { type Antivirus, type ClamdAddress, openAntivirus } from "../antivirus.ts";

export const open = (clamd: ClamdAddress, timeoutMs = 10_000): Antivirus =>
  openAntivirus({ clamd, timeoutMs }, openLog("silent")) as Antivirus;
export const never = new AbortController().signal;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-antivirus-"));
});
after(() => rm(folder, { recursive: true }));

/** Writes a file that consists of the parts. */
export async function fileOf(name: string, ...parts: Uint8Array[]): Promise<{ path: string; size: number }> {
  const path = join(folder, name);
  await writeFile(path, Buffer.concat(parts));
  return { path, size: parts.reduce((sum, { length }) => sum + length, 0) };
}

/** Repeats an attempt until it does not fail, for at most 30 s. */
export async function eventually(attempt: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + 30_000; ; await sleep(50)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}
