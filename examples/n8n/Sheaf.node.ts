/** n8n node with two operations: extract the fields of an agent from a file, and ask a corpus. */
import { createHash } from "node:crypto";
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  NodeConnectionType,
} from "n8n-workflow";

export class Sheaf implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Sheaf",
    name: "sheaf",
    group: ["transform"],
    version: 1,
    description: "Extract data from documents, and ask questions about them",
    defaults: { name: "Sheaf" },
    // The literal value of the enumeration `NodeConnectionType`, because this package uses only
    // types of n8n.
    inputs: ["main" as NodeConnectionType],
    outputs: ["main" as NodeConnectionType],
    credentials: [{ name: "sheafApi", required: true }],
    properties: [
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        options: [
          { name: "Extract", value: "extract", action: "Extract the fields of an agent from a file" },
          { name: "Ask", value: "ask", action: "Ask a question about a corpus" },
        ],
        default: "extract",
      },
      { displayName: "Agent", name: "agent", type: "string", default: "", required: true },
      {
        displayName: "Input Binary Field",
        name: "binaryProperty",
        type: "string",
        default: "data",
        displayOptions: { show: { operation: ["extract"] } },
      },
      {
        displayName: "Question",
        name: "query",
        type: "string",
        default: "",
        displayOptions: { show: { operation: ["ask"] } },
      },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        results.push({ json: await resultOf.call(this, item), pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

async function resultOf(this: IExecuteFunctions, item: number): Promise<IDataObject> {
  const agent = encodeURIComponent(this.getNodeParameter("agent", item) as string);
  if (this.getNodeParameter("operation", item) === "ask") {
    const query = this.getNodeParameter("query", item) as string;
    return (await post.call(this, item, `/v2/knowledge/${agent}`, { query, include: ["citations"] }))
      .data as IDataObject;
  }
  const property = this.getNodeParameter("binaryProperty", item) as string;
  const { fileName: filename } = this.helpers.assertBinaryData(item, property);
  const file = (await this.helpers.getBinaryDataBuffer(item, property)).toString("base64");
  const body = { filename, file, include: ["evidence"] };
  const { data, metadata } = await post.call(this, item, `/v2/extractor/${agent}`, body);
  return { ...(data as IDataObject[])[0], metadata };
}

/**
 * Sends a request with an idempotency key, so that n8n can retry the node without doing work twice.
 * The key also depends on the content, because every pass of a loop counts its items from 0, but
 * sends different content.
 */
async function post(this: IExecuteFunctions, item: number, path: string, body: object): Promise<IDataObject> {
  const { baseUrl } = await this.getCredentials<{ baseUrl: string }>("sheafApi");
  const parts = [this.getExecutionId(), this.getNode().id, item, path, body];
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return this.helpers.httpRequestWithAuthentication.call(this, "sheafApi", {
    method: "POST",
    url: `${baseUrl}${path}`,
    headers: { "idempotency-key": `n8n-${key}` },
    body,
    json: true,
  });
}
