/** The wire of health: for whoever watches over the process, without a token. */
import { serviceEndpoints as endpoints } from "@sheaf/contract/service.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { checkParts, type HealthDeps } from "./health.service.ts";

export const healthRoutes = (deps: HealthDeps): AnyRoute[] => [
  route(endpoints.getHealth, async () => success({})),
  route(endpoints.getReadiness, async () => success(await checkParts(deps))),
];
