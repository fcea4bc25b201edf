/** Client of the HTTP API. The session cookie authenticates its requests as the signed-in user. */
import { SheafSessionClient } from "@sheaf/client";

export const sheaf = new SheafSessionClient({ baseUrl: location.origin });
