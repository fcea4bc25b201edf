/** `sheaf openapi`: the document that the service of this version serves, without starting it. */
import { readConfig } from "../config.ts";
import { describeService } from "../http/openapi.routes.ts";

export async function openApi(): Promise<void> {
  console.log(JSON.stringify(describeService(readConfig().publicUrl), null, 2));
}
