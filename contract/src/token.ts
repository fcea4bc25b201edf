/**
 * The token endpoints, which exchange client credentials for an access token. Bodies have no
 * envelope.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

const lifetime = String(limits.tokenLifetimeSeconds);

/** Response of both token endpoints. `expires_in` is in seconds, as text. */
export const Token = component(
  "Token",
  Type.Object(
    {
      access_token: Type.String({
        description: "A JWT for the request header `x-api-key`, or for `Authorization: Bearer`.",
        examples: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl"],
      }),
      token_type: Type.Literal("x-api-key"),
      expires_in: Type.String({
        pattern: "^[0-9]+$",
        description: "Lifetime of the token in seconds, as text.",
        examples: [lifetime],
      }),
    },
    { description: "An access token, without the envelope of other responses." },
  ),
);
export type TokenJson = Static<typeof Token>;

const issued = {
  description: "The token.",
  body: Token,
  headers: {
    "Cache-Control": { description: "Always `no-store`.", example: "no-store" },
    "Referrer-Policy": { description: "Always `no-referrer`.", example: "no-referrer" },
  },
} as const;

/**
 * Missing, empty and repeated parameters must yield `invalid_client`, so the schema does not
 * validate the query.
 */
const getToken = defineEndpoint({
  operationId: "getToken",
  method: "GET",
  path: "/v2/token",
  summary: "Get an access token",
  description:
    "The secret is part of the URL: proxies in front of the service should not log the query of this path. " +
    "`POST /v2/token` avoids this. Missing, empty or repeated parameters are 401 `invalid_client`.",
  tag: "Token",
  auth: "none",
  query: Type.Object({
    client_id: Type.String({ description: "Client id, from the API section of the web application." }),
    client_secret: Type.String({ description: "Client secret, shown once when the credential was created." }),
  }),
  responses: { 200: issued },
  errors: ["invalid_client"],
});

const postToken = defineEndpoint({
  operationId: "postToken",
  method: "POST",
  path: "/v2/token",
  summary: "Get an access token, OAuth 2 style",
  description:
    "The client-credentials grant of OAuth 2 (RFC 6749, 4.4): the credentials are either in the form or in an `Authorization: Basic` " +
    "header, not in both. The response is that of `GET /v2/token`.",
  tag: "Token",
  auth: "none",
  body: component(
    "TokenRequest",
    Type.Object({
      grant_type: Type.Literal("client_credentials"),
      client_id: Type.Optional(Type.String({ examples: ["my-client-id"] })),
      client_secret: Type.Optional(Type.String({ examples: ["my-client-secret"] })),
    }),
  ),
  bodyType: "application/x-www-form-urlencoded",
  responses: { 200: issued },
  errors: ["invalid_client"],
});

export const tokenEndpoints = { getToken, postToken };
