/** The client of a signed-in user, for use in a browser. */
import { type ConnectionOptions, transportSettings } from "./connection-options.ts";
import { Operations } from "./generated/operations.ts";
import type { Send } from "./request.ts";
import { Transport } from "./transport.ts";

/**
 * Calls the service as the signed-in user, with the session cookie of the browser. There is one
 * method per endpoint, named by its operation id. `createSession` signs in. Methods throw
 * SheafError, with the code `unauthorized` if the session has ended.
 * @example
 * const sheaf = new SheafSessionClient({ baseUrl: location.origin });
 * await sheaf.createSession({ email, password });
 * const { data: agents } = await sheaf.listAgents();
 */
export class SheafSessionClient extends Operations {
  protected readonly send: Send;

  constructor(options: ConnectionOptions) {
    super();
    this.send = new Transport(transportSettings(options), undefined);
  }
}
