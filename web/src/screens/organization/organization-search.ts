/**
 * Search parameters in the URLs of the organization's screens, so that filters and open items can
 * be linked to.
 */
import type { DeliverySummary, EventName } from "@sheaf/client";

const textOf = (value: unknown): string | undefined =>
  // The router parses values that look like JSON, so a search for "2026" arrives as a number.
  typeof value === "string" ? value || undefined : typeof value === "number" ? String(value) : undefined;
const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value);
const flagOf = (value: unknown): true | undefined => (value === true ? true : undefined);
const dayOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

type Search = Record<string, unknown>;

export interface MembersSearch {
  /** Text to search for in names and email addresses. */
  find?: string | undefined;
  /** True if the dialog that creates an invitation is open. */
  invite?: true | undefined;
}
export const membersSearch = ({ find, invite }: Search): MembersSearch => ({
  find: textOf(find),
  invite: flagOf(invite),
});

export interface GroupsSearch {
  /** Id of the open group; `new` to create one. */
  group?: string | undefined;
}
export const groupsSearch = ({ group }: Search): GroupsSearch => ({ group: textOf(group) });

export interface ApiSearch {
  /** True if revoked and expired credentials are listed as well. */
  ended?: true | undefined;
}
export const apiSearch = ({ ended }: Search): ApiSearch => ({ ended: flagOf(ended) });

export interface WebhooksSearch {
  /** Event whose deliveries are listed. */
  event?: EventName | undefined;
  status?: DeliverySummary["status"] | undefined;
  /** Id of the open delivery. */
  delivery?: string | undefined;
}
export const webhooksSearch = ({ event, status, delivery }: Search): WebhooksSearch => ({
  event: oneOf(["document.ingestion_completed", "extraction.completed", "classification.completed"] as const, event),
  status: oneOf(["pending", "delivered", "failed"] as const, status),
  delivery: textOf(delivery),
});

export interface AuditSearch {
  action?: string | undefined;
  /** First day to list, as YYYY-MM-DD in the time zone of the browser. */
  since?: string | undefined;
  order?: "oldest" | undefined;
}
export const auditSearch = ({ action, since, order }: Search): AuditSearch => ({
  action: textOf(action),
  since: dayOf(since),
  order: order === "oldest" ? order : undefined,
});
