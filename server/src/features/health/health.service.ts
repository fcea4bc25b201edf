/** Health checks of the components that the service depends on. */
import type { Antivirus } from "../../antivirus/antivirus.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../records/records.ts";
import { withStatementDeadline } from "../../records/statement-deadline.ts";

export interface HealthDeps {
  db: Db;
  files: Pick<StoredFiles, "check">;
  reader: { isAlive(): boolean };
  /**
   * Aborts when the service begins to stop. The abort reason is the error that a check then throws.
   */
  stopping: AbortSignal;
  /** Undefined if no antivirus is configured. */
  antivirus?: Pick<Antivirus, "check"> | undefined;
}

/**
 * Maximum response time of a component, in milliseconds. A slower component is reported as down.
 */
const patienceMs = 2_000;

/** @throws AppError `agent_unavailable`, whose message names the components that are down */
export async function checkParts({ db, files, reader, antivirus, stopping }: HealthDeps) {
  stopping.throwIfAborted();
  const checks: Record<string, Promise<unknown>> = {
    database: checkDatabase(db),
    files: files.check(),
    reading: reader.isAlive() ? Promise.resolve() : Promise.reject(new Error("no process")),
    ...(antivirus && { antivirus: antivirus.check() }),
  };
  const down: string[] = [];
  await Promise.all(Object.entries(checks).map(([part, check]) => inTime(check).catch(() => void down.push(part))));
  if (down.length > 0)
    throw new AppError("agent_unavailable", undefined, { message: `Down: ${down.sort().join(", ")}.` });
  return { database: "ok", files: "ok", reading: "ok", ...(antivirus && { antivirus: "ok" as const }) } as const;
}

/** Database checks in progress, so that concurrent requests share a single check. */
const looks = new WeakMap<Db, Promise<unknown>>();

/**
 * Checks that the tables can be read and that a transaction can begin. With SQLite, a transaction
 * needs the write lock, which a hung process could hold.
 */
function checkDatabase(db: Db): Promise<unknown> {
  const look =
    looks.get(db) ??
    withStatementDeadline(patienceMs, () =>
      db
        .transaction()
        .execute((transaction) => transaction.selectFrom("organizations").select("id").limit(1).execute()),
    ).finally(() => looks.delete(db));
  looks.set(db, look);
  return look;
}

async function inTime(check: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("no response in time")), patienceMs);
  try {
    await Promise.race([check, promise]);
  } finally {
    clearTimeout(timer);
  }
}
