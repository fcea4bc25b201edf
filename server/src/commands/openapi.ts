/** `sheaf openapi`: prints the OpenAPI document of this version without starting the service. */
import { readConfig } from "../config.ts";
import { describeService } from "../http/openapi.routes.ts";

export async function openApi(): Promise<void> {
  console.log(JSON.stringify(describeService(readConfig().publicUrl), null, 2));
}
