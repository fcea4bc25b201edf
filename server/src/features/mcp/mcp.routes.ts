/** HTTP routes of the Model Context Protocol, and of the metadata for its clients. */
import { mcpEndpoints as endpoints, mcpPath } from "@sheaf/contract/mcp.ts";
import type { Caller } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { checkOrigin, originOf } from "../../lib/origin.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import { Links, type Tools } from "./mcp.service.ts";

export interface McpRouteDeps {
  /** Undefined if the MCP server is switched off. */
  tools: Tools | undefined;
  publicUrl: string | undefined;
}

type Header = RouteRequest["header"];

/** Loads the SDK when the first message arrives. */
const loadServer = () => import("./mcp-server.ts");

/** Request headers that the protocol reads. */
const protocolHeaders = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"];

export function mcpRoutes({ tools, publicUrl }: McpRouteDeps): AnyRoute[] {
  const baseOf = (header: Header): string => {
    if (tools === undefined) throw new AppError("not_found", undefined, { message: "The MCP server is switched off." });
    return publicUrl ?? originOf(header("host"));
  };
  const resource = async ({ header }: { header: Header }) => {
    const base = baseOf(header);
    return {
      body: {
        resource: `${base}${mcpPath}`,
        authorization_servers: [base],
        bearer_methods_supported: ["header" as const],
        resource_name: "Sheaf",
      },
    };
  };
  const refuse = async () => ({ body: undefined, headers: { allow: "POST" } });
  return [
    route(endpoints.callMcp, async ({ caller, body, header, signal }) => {
      checkOrigin(header, publicUrl);
      const base = baseOf(header);
      const message = messageIn(body);
      const { answerMessage } = await loadServer();
      const request = requestOf(`${base}${mcpPath}`, header, body);
      const call = callOf(caller, base);
      return replyOf(await answerMessage(tools as Tools, call, request, message, signal));
    }),
    route(endpoints.openMcpStream, refuse),
    route(endpoints.endMcpSession, refuse),
    route(endpoints.getProtectedResource, resource),
    route(endpoints.getProtectedMcp, resource),
    route(endpoints.getAuthorizationServer, async ({ header }) => {
      const issuer = baseOf(header);
      return {
        body: {
          issuer,
          authorization_endpoint: `${issuer}/`,
          token_endpoint: `${issuer}/v2/token`,
          token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
          grant_types_supported: ["client_credentials" as const],
          response_types_supported: [],
        },
      };
    }),
  ];
}

const callOf = (caller: Caller, base: string) => ({ principal: caller, caller, links: new Links(base) });

/** @throws AppError `invalid_request` unless the body is one JSON object */
function messageIn(body: Buffer): object {
  const refuse = (message: string) => new AppError("invalid_request", { issues: [{ path: "", message }] });
  let message: unknown;
  try {
    message = JSON.parse(body.toString("utf8"));
  } catch {
    throw refuse("the body is not valid JSON");
  }
  if (typeof message !== "object" || message === null || Array.isArray(message))
    throw refuse("the body must be one JSON-RPC message; batches are not accepted");
  return message;
}

function requestOf(url: string, header: Header, body: Buffer): Request {
  // Responses are JSON for every client, so the client's own `Accept` header is ignored.
  const headers = new Headers({ accept: "application/json, text/event-stream" });
  for (const name of protocolHeaders) {
    const value = header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(url, { method: "POST", headers, body: new Uint8Array(body) });
}

/** Maps the response statuses of the SDK to those that the endpoint documents. */
async function replyOf(response: Response) {
  const text = await response.text();
  if (text === "") return { status: 202, body: undefined };
  return { status: response.status === 200 ? 200 : 400, body: JSON.parse(text) as Record<string, unknown> };
}
