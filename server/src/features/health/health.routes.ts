/** HTTP routes for monitoring: health and metrics. */
import { createHash, timingSafeEqual } from "node:crypto";
import { serviceEndpoints as endpoints } from "@sheaf/contract/service.ts";
import { AppError } from "../../lib/errors.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { checkParts, type HealthDeps } from "./health.service.ts";

export interface HealthRoutesDeps extends HealthDeps {
  metrics: {
    /** Returns the metrics in the Prometheus text format. */
    scrape(): Promise<string>;
    /** Token required to read the metrics. */
    token: string;
  };
}

export const healthRoutes = ({ metrics, ...deps }: HealthRoutesDeps): AnyRoute[] => [
  route(endpoints.getHealth, async () => success({})),
  route(endpoints.getReadiness, async () => success(await checkParts(deps))),
  route(endpoints.getMetrics, async ({ header }) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(header("authorization") ?? "") ?? [];
    if (given === undefined || !timingSafeEqual(digest(given), digest(metrics.token)))
      throw new AppError("unauthorized", undefined, {
        message: "The metrics can only be read with the metrics token.",
      });
    return { body: inOnePiece(await metrics.scrape()) };
  }),
];

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}
