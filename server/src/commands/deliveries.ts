/** `sheaf deliveries`: lists webhook and callback deliveries with their attempts. */
import { getOrganization } from "../features/organizations/organizations.service.ts";
import { listDeliveries } from "../features/webhooks/events.service.ts";
import { withInstallation } from "./with-installation.ts";

export const deliveries = (organization: string, options: { limit: string; json: boolean }): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const limit = Number(options.limit);
    if (!/^\d{1,5}$/.test(options.limit) || limit === 0)
      throw new Error("The limit must be a whole number from 1 to 99999.");
    const { id } = await getOrganization(db, organization);
    const found = await listDeliveries(db, id, limit);
    if (options.json) console.log(JSON.stringify(found, null, 2));
    else
      for (const { id, created_at, event, callback_url, status, failure, attempts } of found) {
        const target = callback_url ?? attempts.at(-1)?.url ?? "webhook";
        console.log(`${created_at}  ${id}  ${event}  ${status}  ${target}${failure === null ? "" : `  ${failure}`}`);
        for (const { attempt, attempted_at, http_status, error, duration_ms } of attempts)
          console.log(`  ${attempted_at}  attempt ${attempt}: ${http_status ?? error}, ${duration_ms} ms`);
      }
  });
