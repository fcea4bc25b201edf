/** HTTP routes of the delivery log. */
import { deliveryStatuses, deliveriesEndpoints as endpoints } from "@sheaf/contract/deliveries.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { AppError } from "../../lib/errors.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, type RouteRequest, route, success } from "../../lib/route.ts";
import * as log from "./delivery-log.service.ts";

export const deliveryLogRoutes = (deps: log.DeliveryLogDeps): AnyRoute[] => [
  route(endpoints.listDeliveries, async ({ caller, path: { event }, query }) => {
    const page = { limit: limits.maxPageSize, ...pageRequest(query) };
    return pageReply(await log.listDeliveries(deps, caller, { event, status: statusOf(query) }, page));
  }),
  route(endpoints.getDelivery, async ({ caller, path: { deliveryId } }) =>
    success(await log.getDelivery(deps, caller, deliveryId)),
  ),
  route(endpoints.replayDelivery, async ({ caller, path: { deliveryId }, keep }) =>
    success(await log.replayDelivery(deps, caller, deliveryId, keep(success))),
  ),
  route(endpoints.testWebhook, async ({ caller, path: { event }, keep }) =>
    success(await log.testWebhook(deps, caller, event, keep(success))),
  ),
];

function statusOf({ status }: RouteRequest["query"]) {
  const found = deliveryStatuses.find((each) => each === status);
  if (status === undefined || found !== undefined) return found;
  const message = `must be one of ${deliveryStatuses.join(", ")}`;
  throw new AppError("invalid_request", { issues: [{ path: "/status", message }] });
}
