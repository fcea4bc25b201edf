/**
 * A SCIM route. It is not an endpoint of the contract, because SCIM has its own media type, errors
 * and description, and tokens that no other route accepts.
 */
import type { Resource } from "./patch.ts";
import type { ScimQuery } from "./scim-list.ts";
import type { Provisioner } from "./scim-tokens.service.ts";

/** Media type of requests and responses; `application/json` is accepted too. */
export const scimType = "application/scim+json";

export interface ScimRequest {
  provisioner: Provisioner;
  /** Id in the path; an empty string if the path has none. */
  id: string;
  query: ScimQuery;
  /** Body of POST, PUT and PATCH; otherwise empty. */
  body: Resource;
  /** Base URL of the SCIM routes, as the client reaches it. */
  base: string;
}

export interface ScimReply {
  status: number;
  /** Undefined if the response has no body. */
  body?: Resource;
  /** URL of a created resource. */
  location?: string;
}

export interface ScimRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the base, with `:id` for an id. */
  path: string;
  handle(request: ScimRequest): Promise<ScimReply>;
}
