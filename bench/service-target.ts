/**
 * Starts a service as a separate process, in the same way as `sheaf serve`. Returns its URL and a
 * token.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fewArenas } from "../server/src/lib/arenas.ts";
import { MeasuredProcess } from "./upload-process.ts";

export type Settings = Record<string, string | undefined>;

export interface Target {
  url: string;
  token: string;
}

/** Message that `service-server.ts` sends when the service is ready. */
export interface StartedService {
  url: string;
  clientId: string;
  clientSecret: string;
}

export async function targetOf({ url, clientId, clientSecret }: StartedService): Promise<Target> {
  const answer = await fetch(`${url}/v2/token?client_id=${clientId}&client_secret=${clientSecret}`);
  const { access_token } = (await answer.json()) as { access_token: string };
  return { url, token: access_token };
}

/** Runs `use` with a service. Its data is in a temporary folder. */
export async function withService<T>(
  settings: Settings,
  measure: (process_: MeasuredProcess, target: Target) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    await using started = serviceProcess({ ...settingsIn(folder), ...settings });
    return await measure(started, await targetOf(await started.message<StartedService>("service")));
  });
}

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const serviceProcess = (settings: Settings): MeasuredProcess =>
  new MeasuredProcess(new URL("./service-server.ts", import.meta.url), [], {
    PATH: process.env.PATH,
    ...fewArenas,
    ...settings,
  });

/** Settings for a service on a free port, with the installation in the folder. */
export const settingsIn = (folder: string): Settings => ({ SHEAF_DATA_DIR: folder, SHEAF_PORT: "0" });
