/**
 * Tokens with which the identity provider of an organization provisions its members. The SCIM
 * endpoints are described at `/scim/v2/Schemas`, not in the OpenAPI document.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

/** Base path of the SCIM endpoints. */
export const scimPath = "/scim/v2";

const name = text({ minLength: 1, maxLength: limits.scimTokenNameMaxLength, examples: ["Entra ID"] });

const ScimToken = component(
  "ScimToken",
  Type.Object({
    id: uuid("Id of the token."),
    name,
    created_at: timestamp("When it was created."),
    last_used_at: Type.Union([timestamp("When it was last used."), Type.Null()], {
      description: "Time of the last use, precise to the minute; null if it was never used.",
    }),
  }),
);
export type ScimTokenJson = Static<typeof ScimToken>;

const CreatedScimToken = component(
  "CreatedScimToken",
  Type.Object({
    ...ScimToken.properties,
    token: Type.String({
      description: "The token itself. It is not shown again.",
      examples: ["scim_3qJ0pX2mUeC8V1cJY7m0c4lU0mUxq3v1Y5nH8tB6sKw"],
    }),
  }),
);
export type CreatedScimTokenJson = Static<typeof CreatedScimToken>;

const listScimTokens = defineEndpoint({
  operationId: "listScimTokens",
  method: "GET",
  path: "/v2/organization/sign-on/scim-tokens",
  summary: "List the SCIM tokens",
  tag: "Organization",
  auth: "administrator",
  query: pageQuery,
  responses: { 200: { description: "The tokens that are not revoked.", body: list(ScimToken) } },
  errors: ["invalid_request"],
});

const createScimToken = defineEndpoint({
  operationId: "createScimToken",
  method: "POST",
  path: "/v2/organization/sign-on/scim-tokens",
  summary: "Create a SCIM token",
  description:
    `Creates a token with which the identity provider creates, changes and removes members of the organization at \`${scimPath}\`. It gives no access to ` +
    `anything else. An organization has at most ${limits.maxScimTokens} SCIM tokens; creating more is 409 \`conflict\`.`,
  tag: "Organization",
  auth: "administrator",
  secretReply: { reference: "id" },
  body: component("CreateScimTokenRequest", Type.Object({ name })),
  responses: { 201: { description: "The token, shown once.", body: success(CreatedScimToken) } },
  errors: ["conflict"],
});

const deleteScimToken = defineEndpoint({
  operationId: "deleteScimToken",
  method: "DELETE",
  path: "/v2/organization/sign-on/scim-tokens/{scimTokenId}",
  summary: "Revoke a SCIM token",
  description: "The token is refused from the next request on. Members and groups provisioned with it remain.",
  tag: "Organization",
  auth: "administrator",
  pathParameters: Type.Object({ scimTokenId: Type.String({ description: "Id of the token." }) }),
  responses: {
    200: { description: "The token was revoked.", body: success(Type.Object({ id: uuid("Id of the token.") })) },
  },
  errors: ["not_found"],
});

export const scimEndpoints = { listScimTokens, createScimToken, deleteScimToken };
