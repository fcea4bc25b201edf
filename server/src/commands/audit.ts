/** `sheaf audit`: lists who changed what, when and from where. */
import { readAudit, timeOf } from "../features/audit/audit.service.ts";
import { getOrganization } from "../features/organizations/organizations.service.ts";
import { withInstallation } from "./with-installation.ts";

export interface AuditOptions {
  organization?: string;
  since?: string;
  action?: string;
  json: boolean;
}

/** Prints one line per entry, newest last. */
export const audit = (options: AuditOptions): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const { organization, action } = options;
    const since = options.since === undefined ? undefined : timeOf(options.since);
    if (options.since !== undefined && since === undefined)
      throw new Error("--since must be an ISO 8601 date or time, such as 2026-03-14 or 2026-03-14T09:00:00Z.");
    const organizationId = organization === undefined ? undefined : (await getOrganization(db, organization)).id;
    for await (const entry of readAudit(db, { organizationId, since, action })) {
      if (options.json) console.log(JSON.stringify(entry));
      else {
        const { created_at, organization_id, action, target, actor, address, detail } = entry;
        const who = actor.operator ?? actor.user_email ?? actor.user_id ?? "unknown";
        const from = address === null ? "" : ` from ${address}`;
        const what = `${action}  ${target ?? "-"}  ${JSON.stringify(detail)}`;
        console.log(`${created_at}  ${organization_id ?? "-"}  ${who}${from}  ${what}`);
      }
    }
  });
