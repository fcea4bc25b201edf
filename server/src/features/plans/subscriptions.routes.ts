/** HTTP route of the Stripe webhook. */
import { subscriptionsEndpoints as endpoints } from "@sheaf/contract/subscriptions.ts";
import { AppError } from "../../lib/errors.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { verifiedEvent } from "./stripe-events.ts";
import { type SubscriptionDeps, takeEvent } from "./subscriptions.service.ts";

export interface WebhookDeps extends SubscriptionDeps {
  /** Undefined if no Stripe webhook is configured. */
  webhookSecret: string | undefined;
}

export function subscriptionsRoutes({ webhookSecret, ...deps }: WebhookDeps): AnyRoute[] {
  const secret = (): string => {
    if (webhookSecret === undefined) throw new AppError("not_found");
    return webhookSecret;
  };
  return [
    route(
      endpoints.receiveStripeEvent,
      async ({ body, header }) => {
        await takeEvent(deps, await verifiedEvent(body, header("stripe-signature"), secret()));
        return success({});
      },
      {
        beforeBody: async () => {
          secret();
          return undefined;
        },
      },
    ),
  ];
}
