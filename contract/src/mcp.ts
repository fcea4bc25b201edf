/**
 * The endpoint of the Model Context Protocol, and the metadata from which its clients learn how to
 * get a token. The tools are in `mcp-tools.ts`.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { jsonObject } from "./formats.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

/** Path of the endpoint. */
export const mcpPath = "/mcp";
/**
 * Path of the protected resource metadata (RFC 9728). A client may append the path of the resource.
 */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource";

const maxBodyBytes = 4 * 1024 * 1024;

export const McpMessage = component(
  "McpMessage",
  Type.Object(
    {
      jsonrpc: Type.Literal("2.0"),
      id: Type.Optional(
        Type.Union([Type.Integer(), Type.String()], { description: "Absent in notifications.", examples: [1] }),
      ),
      method: Type.String({ examples: ["tools/list"] }),
      params: Type.Optional(jsonObject({}, { examples: [{}] })),
    },
    { description: "A JSON-RPC 2.0 message." },
  ),
);
const reply = jsonObject(
  {},
  { description: "A JSON-RPC 2.0 response.", examples: [{ jsonrpc: "2.0", id: 1, result: { tools: [] } }] },
);

const callMcp = defineEndpoint({
  operationId: "callMcp",
  method: "POST",
  path: mcpPath,
  summary: "Send a message of the Model Context Protocol",
  description:
    "The streamable HTTP transport, without sessions: one JSON-RPC message per request, and its response as JSON. A request with an `Origin` other than the service's own is 403 `forbidden`. " +
    "Without a valid token the response names the metadata in `WWW-Authenticate`. 404 `not_found` if `SHEAF_MCP` is `off`. " +
    "Use a client of the protocol, and see docs/mcp.md.",
  tag: "MCP",
  auth: "administrator",
  app: "member",
  challenge: true,
  body: McpMessage,
  rawBody: { maxBytes: maxBodyBytes },
  responses: {
    200: { description: "The response.", body: reply },
    202: { description: "A notification was accepted.", empty: true },
    400: { description: "The message or its protocol version is not valid.", body: reply },
  },
  errors: ["not_found"],
});

const refused = {
  405: { description: "Only POST is allowed.", empty: true, headers: { Allow: { description: "Always `POST`." } } },
} as const;

const openMcpStream = defineEndpoint({
  operationId: "openMcpStream",
  method: "GET",
  path: mcpPath,
  summary: "Refuse a stream of the Model Context Protocol",
  description: "Always refused: this server sends no messages on its own, so there is no stream to open.",
  tag: "MCP",
  auth: "none",
  responses: refused,
  errors: [],
});

const endMcpSession = defineEndpoint({
  operationId: "endMcpSession",
  method: "DELETE",
  path: mcpPath,
  summary: "Refuse to end a session of the Model Context Protocol",
  description: "This server has no sessions.",
  tag: "MCP",
  auth: "none",
  responses: refused,
  errors: [],
});

export const ProtectedResource = component(
  "ProtectedResource",
  Type.Object(
    {
      resource: Type.String({ examples: ["https://sheaf.example.com/mcp"] }),
      authorization_servers: Type.Array(Type.String({ examples: ["https://sheaf.example.com"] })),
      bearer_methods_supported: Type.Array(Type.Literal("header")),
      resource_name: Type.String({ examples: ["Sheaf"] }),
    },
    { description: "Metadata of a protected resource, as in RFC 9728." },
  ),
);
export type ProtectedResourceJson = Static<typeof ProtectedResource>;

const described = { 200: { description: "The metadata.", body: ProtectedResource } } as const;

const getProtectedResource = defineEndpoint({
  operationId: "getProtectedResource",
  method: "GET",
  path: resourceMetadataPath,
  summary: "Describe how to get access to `/mcp`",
  description: "The metadata of a protected resource (RFC 9728). 404 `not_found` if `SHEAF_MCP` is `off`.",
  tag: "MCP",
  auth: "none",
  responses: described,
  errors: ["not_found"],
});

const getProtectedMcp = defineEndpoint({
  operationId: "getProtectedMcp",
  method: "GET",
  path: `${resourceMetadataPath}${mcpPath}`,
  summary: "Describe how to get access to `/mcp`, at the metadata path derived from `/mcp`",
  description:
    "The same metadata as `getProtectedResource`, at the path that RFC 9728 derives from the path of the resource.",
  tag: "MCP",
  auth: "none",
  responses: described,
  errors: ["not_found"],
});

export const AuthorizationServer = component(
  "AuthorizationServer",
  Type.Object(
    {
      issuer: Type.String({ examples: ["https://sheaf.example.com"] }),
      authorization_endpoint: Type.String({
        description: "Not used by this grant; clients refuse metadata without it.",
        examples: ["https://sheaf.example.com/"],
      }),
      token_endpoint: Type.String({ examples: ["https://sheaf.example.com/v2/token"] }),
      token_endpoint_auth_methods_supported: Type.Array(Type.String({ examples: ["client_secret_basic"] })),
      grant_types_supported: Type.Array(Type.Literal("client_credentials")),
      response_types_supported: Type.Array(Type.String()),
    },
    { description: "Metadata of the authorization server, as in RFC 8414. Its only grant is client credentials." },
  ),
);
export type AuthorizationServerJson = Static<typeof AuthorizationServer>;

const getAuthorizationServer = defineEndpoint({
  operationId: "getAuthorizationServer",
  method: "GET",
  path: "/.well-known/oauth-authorization-server",
  summary: "Describe the token endpoint",
  description:
    "The metadata of an authorization server (RFC 8414), by which clients find the token endpoint. 404 `not_found` if `SHEAF_MCP` is `off`.",
  tag: "MCP",
  auth: "none",
  responses: { 200: { description: "The metadata.", body: AuthorizationServer } },
  errors: ["not_found"],
});

export const mcpEndpoints = {
  callMcp,
  openMcpStream,
  endMcpSession,
  getProtectedResource,
  getProtectedMcp,
  getAuthorizationServer,
};
