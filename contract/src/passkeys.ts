/** Passkeys: sign-in without a password, with the screen lock of a device or a security key. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { component } from "./schema.ts";
import { currentPassword, signedIn } from "./sessions.ts";
import Type from "./type.ts";

export const Passkey = component(
  "Passkey",
  Type.Object({
    id: uuid("Id of the passkey."),
    name: Type.String({ description: "Name that the user chose.", examples: ["Work laptop"] }),
    created_at: timestamp("When it was created."),
    last_used_at: Type.Union([timestamp("When the user last signed in with it."), Type.Null()], {
      description: "Time of the last sign-in with this passkey; null if it was never used.",
    }),
  }),
);
export type PasskeyJson = Static<typeof Passkey>;

const WebAuthnOptions = component(
  "WebAuthnOptions",
  Type.Object(
    { challenge: Type.String({ description: "Valid for 5 minutes and for one use." }) },
    {
      additionalProperties: true,
      description:
        "Options of the Web Authentication API as JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON` or " +
        "`parseRequestOptionsFromJSON` of the browser.",
    },
  ),
);

const encoded = Type.String({ maxLength: limits.webAuthnMaxLength });
const identified = { id: encoded, rawId: encoded, type: Type.Literal("public-key") };

const NewCredential = component(
  "WebAuthnRegistration",
  Type.Object(
    { ...identified, response: Type.Object({ clientDataJSON: encoded, attestationObject: encoded }) },
    { description: "The credential that the browser created, as its `toJSON` returns it." },
  ),
);
export type NewCredentialJson = Static<typeof NewCredential>;

const Assertion = component(
  "WebAuthnAssertion",
  Type.Object(
    {
      ...identified,
      response: Type.Object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded }),
    },
    { description: "The credential that the browser got, as its `toJSON` returns it." },
  ),
);
export type AssertionJson = Static<typeof Assertion>;

const startPasskey = defineEndpoint({
  operationId: "startPasskey",
  method: "POST",
  path: "/v2/session/passkeys/start",
  summary: "Start to create a passkey",
  description: "Requires the current password; a wrong one is 401 `unauthorized` and counts as a failed sign-in.",
  tag: "Session",
  auth: "none",
  body: component("StartPasskeyRequest", Type.Object({ password: currentPassword })),
  responses: { 200: { description: "Options for `navigator.credentials.create`.", body: success(WebAuthnOptions) } },
  errors: ["unauthorized", "forbidden"],
});

const createPasskey = defineEndpoint({
  operationId: "createPasskey",
  method: "POST",
  path: "/v2/session/passkeys",
  summary: "Create a passkey",
  description:
    "Requires a credential for the challenge of `startPasskey`; any other is 422 `invalid_request`. The passkey is bound to the host name of " +
    "the web application. A user can have at most 20 passkeys; one more is 409 `conflict`.",
  tag: "Session",
  auth: "none",
  body: component(
    "CreatePasskeyRequest",
    Type.Object({
      name: text({ minLength: 1, maxLength: limits.passkeyNameMaxLength, examples: ["Work laptop"] }),
      credential: NewCredential,
    }),
  ),
  responses: { 200: { description: "The passkey.", body: success(Passkey) } },
  errors: ["unauthorized", "forbidden", "conflict"],
});

const listPasskeys = defineEndpoint({
  operationId: "listPasskeys",
  method: "GET",
  path: "/v2/session/passkeys",
  summary: "List your passkeys",
  description: "Returns the passkeys of the signed-in user, without their keys.",
  tag: "Session",
  auth: "none",
  responses: { 200: { description: "The passkeys, oldest first.", body: success(Type.Array(Passkey)) } },
  errors: ["unauthorized", "forbidden"],
});

const deletePasskey = defineEndpoint({
  operationId: "deletePasskey",
  method: "DELETE",
  path: "/v2/session/passkeys/{passkeyId}",
  summary: "Delete one of your passkeys",
  description: "The passkey can no longer sign in. Sessions that it started stay valid.",
  tag: "Session",
  auth: "none",
  pathParameters: Type.Object({ passkeyId: Type.String({ description: "Id of the passkey." }) }),
  responses: {
    200: { description: "The passkey is deleted.", body: success(Type.Object({ id: uuid("Id of the passkey.") })) },
  },
  errors: ["unauthorized", "forbidden", "not_found"],
});

const startPasskeySession = defineEndpoint({
  operationId: "startPasskeySession",
  method: "POST",
  path: "/v2/session/passkey/start",
  summary: "Start to sign in with a passkey",
  description: "Returns a challenge for the device to sign. Pass the resulting credential to `createPasskeySession`.",
  tag: "Session",
  auth: "none",
  responses: { 200: { description: "Options for `navigator.credentials.get`.", body: success(WebAuthnOptions) } },
  errors: ["forbidden"],
});

const createPasskeySession = defineEndpoint({
  operationId: "createPasskeySession",
  method: "POST",
  path: "/v2/session/passkey",
  summary: "Sign in with a passkey",
  description:
    "Requires a credential for the challenge of `startPasskeySession`, with verification of the user by the device; anything else is 401 " +
    "`unauthorized`. A password or a code is not needed. Ends the previous session of the request's cookie.",
  tag: "Session",
  auth: "none",
  body: component("CreatePasskeySessionRequest", Type.Object({ credential: Assertion })),
  responses: { 200: signedIn },
  errors: ["unauthorized", "sign_on_required", "forbidden"],
});

export const passkeysEndpoints = {
  startPasskey,
  createPasskey,
  listPasskeys,
  deletePasskey,
  startPasskeySession,
  createPasskeySession,
};
