/**
 * n8n trigger: registers a webhook of the organization, and starts the workflow for each signed
 * event.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
  NodeConnectionType,
} from "n8n-workflow";

/**
 * Maximum age of an event, in milliseconds. Older events may be replays by somebody who recorded
 * them.
 */
const maxAgeMs = 300_000;
/** Number of processed events that are remembered, because an event may arrive more than once. */
const remembered = 200;

interface State {
  secret?: string;
  ids?: string[];
}

export class SheafTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Sheaf Trigger",
    name: "sheafTrigger",
    group: ["trigger"],
    version: 1,
    description: "Starts a workflow when an extraction, a classification or an ingestion has ended",
    defaults: { name: "Sheaf Trigger" },
    inputs: [],
    outputs: ["main" as NodeConnectionType],
    credentials: [{ name: "sheafApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "sheaf" }],
    properties: [
      {
        displayName: "Event",
        name: "event",
        type: "options",
        options: ["extraction.completed", "classification.completed", "document.ingestion_completed"].map((value) => ({
          name: value,
          value,
        })),
        default: "extraction.completed",
      },
    ],
  };

  webhookMethods = {
    default: {
      /**
       * Returns false if the webhook must be created. A webhook whose secret is not stored must be
       * created again, because the service shows a secret only once.
       */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { url } = (await webhookOf.call(this)) ?? {};
        return url === this.getNodeWebhookUrl("default") && stateOf(this).secret !== undefined;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const url = this.getNodeWebhookUrl("default");
        const existing = await webhookOf.call(this);
        if (existing !== undefined && existing.url !== url)
          throw new Error(`The organization has a webhook for this event already: ${existing.url}`);
        if (existing !== undefined) await request.call(this, "DELETE");
        const { data } = await request.call(this, "PUT", { url });
        stateOf(this).secret = (data as { secret: string }).secret;
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const existing = await webhookOf.call(this);
        if (existing?.url === this.getNodeWebhookUrl("default")) await request.call(this, "DELETE");
        delete stateOf(this).secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const state = stateOf(this);
    // The signature covers the bytes as received.
    const { rawBody } = this.getRequestObject() as unknown as { rawBody: Buffer };
    if (!isSigned(rawBody, this.getHeaderData()["x-service-signature"], state.secret)) {
      this.getResponseObject().status(401).end();
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(rawBody.toString()) as IDataObject & { id: string; timestamp: string };
    const ids = state.ids ?? [];
    const isOld = Math.abs(Date.now() - Date.parse(event.timestamp)) > maxAgeMs;
    if (isOld || ids.includes(event.id)) return { webhookResponse: "ignored" };
    state.ids = [...ids, event.id].slice(-remembered);
    return { workflowData: [[{ json: event }]] };
  }
}

function isSigned(body: Buffer, signature: unknown, secret: string | undefined): boolean {
  if (secret === undefined || typeof signature !== "string") return false;
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Returns the state of the node, which n8n stores with the workflow. */
const stateOf = (context: IHookFunctions | IWebhookFunctions): State => context.getWorkflowStaticData("node") as State;

async function webhookOf(this: IHookFunctions): Promise<{ url: string } | undefined> {
  const { data } = await request.call(this, "GET");
  return (data as { event: string; url: string }[]).find(({ event }) => event === this.getNodeParameter("event"));
}

async function request(this: IHookFunctions, method: "GET" | "PUT" | "DELETE", body?: object): Promise<IDataObject> {
  const { baseUrl } = await this.getCredentials<{ baseUrl: string }>("sheafApi");
  const path = method === "GET" ? "" : `/${this.getNodeParameter("event")}`;
  return this.helpers.httpRequestWithAuthentication.call(this, "sheafApi", {
    method,
    url: `${baseUrl}/v2/organization/webhooks${path}`,
    ...(body && { body }),
    json: true,
  });
}
