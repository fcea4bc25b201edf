/** HTTP routes of webhooks. */
import { webhooksEndpoints as endpoints } from "@sheaf/contract/webhooks.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import * as webhooks from "./webhooks.service.ts";

export const webhooksRoutes = (deps: webhooks.WebhookDeps): AnyRoute[] => [
  route(endpoints.putWebhook, async ({ caller, path: { event }, body: { url } }) => {
    const { secret } = await webhooks.putWebhook(deps, caller, event, url);
    return secret === undefined
      ? { status: 200, ...success({ event, url }) }
      : { status: 201, ...success({ event, url, secret }) };
  }),
  route(endpoints.listWebhooks, async ({ caller, query }) =>
    pageReply(await webhooks.listWebhooks(deps, caller, pageRequest(query))),
  ),
  route(endpoints.deleteWebhook, async ({ caller, path: { event } }) => {
    await webhooks.deleteWebhook(deps, caller, event);
    return success({ event });
  }),
];
