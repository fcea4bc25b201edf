/** HTTP routes of the audit log. */
import { auditOrders, auditEndpoints as endpoints } from "@sheaf/contract/audit.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { AppError } from "../../lib/errors.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { listAudit, timeOf } from "./audit.service.ts";

type AuditQuery = RouteRequest["query"];

export const auditRoutes = ({ db }: { db: Db }): AnyRoute[] => [
  route(endpoints.listAuditEntries, async ({ caller, query }) => {
    const page = { limit: limits.maxPageSize, ...pageRequest(query) };
    return pageReply(await listAudit(db, caller, { newestFirst: isNewestFirst(query), ...filterOf(query) }, page));
  }),
];

function isNewestFirst({ order = "oldest" }: AuditQuery): boolean {
  if (!auditOrders.some((each) => each === order)) throw refusal("/order", `must be one of ${auditOrders.join(", ")}`);
  return order === "newest";
}

function filterOf({ since, action }: AuditQuery) {
  const time = since === undefined ? undefined : timeOf(String(since));
  if (since !== undefined && time === undefined) throw refusal("/since", "must be a time in ISO 8601");
  if (Array.isArray(action)) throw refusal("/action", "must occur only once");
  return { since: time, action };
}

const refusal = (path: string, message: string) => new AppError("invalid_request", { issues: [{ path, message }] });
