/** HTTP routes that report usage. */
import { usageEndpoints as endpoints } from "@sheaf/contract/usage.ts";
import { now } from "../../lib/clock.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { getUsage } from "./usage.service.ts";

export const usageRoutes = ({ db }: { db: Db }): AnyRoute[] => [
  route(endpoints.getUsage, async ({ caller }) => success(await getUsage(db, caller, now()))),
];
