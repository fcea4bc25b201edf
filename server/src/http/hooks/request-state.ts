/** State that the application stores on a Fastify request. */
import type { FastifyInstance } from "fastify";
import type { Caller } from "../../lib/caller.ts";
import type { Admission } from "../../lib/fair-admission.ts";
import type { BodyBounds } from "../../lib/route.ts";
import type { CountedRequest } from "../rate-limits.ts";
import type { ObservedRequest } from "../request-observer.ts";
import type { WebAnswer } from "../serve-web-files.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    probe?: boolean | undefined;
    isEndless?: boolean | undefined;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    /** IP address of the client, even if it is behind trusted proxies. */
    address: string;
    counted: CountedRequest | undefined;
    /** True if load shedding refused the request. Such requests are not logged one by one. */
    isShed: boolean;
    /** Admission by the load gate; undefined for a probe. */
    admission: Admission | undefined;
    bounds: BodyBounds | undefined;
    observed: ObservedRequest | undefined;
    /** File of the web application or documentation to send, if no route matches the request. */
    webFile: WebAnswer | undefined;
  }
}

/** Declares the properties up front, so that all request objects have the same shape. */
export function declareRequestState(app: FastifyInstance): void {
  app.decorateRequest("caller");
  app.decorateRequest("bounds");
  app.decorateRequest("address", "");
  app.decorateRequest("counted");
  app.decorateRequest("observed");
  app.decorateRequest("isShed", false);
  app.decorateRequest("admission");
  app.decorateRequest("webFile");
}
