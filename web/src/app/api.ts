/** The service, called as the signed-in user. */
import { SheafSessionClient } from "@sheaf/client";

export const sheaf = new SheafSessionClient({ baseUrl: location.origin });
