/** `GET /v2/openapi.json`: the OpenAPI document of the endpoints that this version serves. */
import { openApi } from "@sheaf/contract/openapi.ts";
import { serviceEndpoints } from "@sheaf/contract/service.ts";
import { type AnyRoute, route } from "../lib/route.ts";
import { version } from "../lib/version.ts";
import { servedEndpoints } from "./served-endpoints.ts";

export const describeService = (publicUrl: string | undefined): Record<string, unknown> =>
  openApi(servedEndpoints, { title: "Sheaf", version, ...(publicUrl === undefined ? {} : { serverUrl: publicUrl }) });

export function openApiRoutes(publicUrl: string | undefined): AnyRoute[] {
  let document: Record<string, unknown> | undefined;
  return [
    route(serviceEndpoints.getOpenApi, async () => {
      document ??= describeService(publicUrl);
      return { body: document };
    }),
  ];
}
