/** Whether the parts that the service works with are well. */
import { sql } from "kysely";
import type { StoredFiles } from "../../files/stored-files.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../records/records.ts";

export interface HealthDeps {
  db: Db;
  files: Pick<StoredFiles, "check">;
  reader: { isAlive(): boolean };
}

/** A part that takes longer to answer is down. */
const patienceMs = 2_000;

/** @throws AppError `agent_unavailable`, whose message names the parts that are down. */
export async function checkParts({ db, files, reader }: HealthDeps) {
  const checks: Record<string, Promise<unknown>> = {
    database: sql`select 1`.execute(db),
    files: files.check(),
    reading: reader.isAlive() ? Promise.resolve() : Promise.reject(new Error("no process")),
  };
  const down: string[] = [];
  await Promise.all(Object.entries(checks).map(([part, check]) => inTime(check).catch(() => void down.push(part))));
  if (down.length > 0)
    throw new AppError("agent_unavailable", undefined, { message: `Down: ${down.sort().join(", ")}.` });
  return { database: "ok", files: "ok", reading: "ok" } as const;
}

async function inTime(check: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("it does not answer")), patienceMs);
  try {
    await Promise.race([check, promise]);
  } finally {
    clearTimeout(timer);
  }
}
