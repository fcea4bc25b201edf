/** Meters work: call it in the transaction of the work that it counts. */
import { monthOf, now } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import type { UsageChannel } from "../../records/tables.ts";
import { insertUsageEntry } from "./usage.repo.ts";

export async function recordUsage(
  db: Db,
  organizationId: string,
  channel: UsageChannel,
  tokens: number,
): Promise<void> {
  const at = now();
  await insertUsageEntry(db, {
    id: newId(),
    organization_id: organizationId,
    channel,
    tokens,
    month: monthOf(at),
    created_at: at,
  });
}
