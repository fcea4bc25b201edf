/**
 * Sessions of the web application: sign-in with a password and a second factor, choice of an
 * organization, and sign-out.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

export const memberRoles = ["administrator", "member"] as const;
export type MemberRole = (typeof memberRoles)[number];

export const email = text({
  minLength: 3,
  maxLength: limits.emailMaxLength,
  description: "Email address, case-insensitive.",
  examples: ["ada@example.com"],
});
/**
 * Schema of a new password. Its rules do not apply to existing passwords, for instance at sign-in.
 */
const newPassword = text({
  minLength: limits.passwordMinLength,
  maxLength: limits.passwordMaxLength,
  description:
    `At least ${limits.passwordMinLength} characters. A password that is common, a sequence, or contains the email address or the name is ` +
    "422 `invalid_request`.",
  examples: ["correct horse battery staple"],
});
export const currentPassword = text({
  minLength: 1,
  maxLength: limits.passwordMaxLength,
  examples: ["correct horse battery staple"],
});
const personName = text({ minLength: 1, maxLength: limits.personNameMaxLength, examples: ["Ada Lovelace"] });

/** Digits of an authenticator app, or a recovery code; spaces and hyphens are ignored. */
const code = text({
  minLength: 1,
  maxLength: limits.secondFactorCodeMaxLength,
  description: "Six digits of the authenticator app, or a recovery code. Each works once.",
  examples: ["492039"],
});

export const secondFactors = ["none", "totp"] as const;

const Membership = component(
  "Membership",
  Type.Object({
    organization_id: uuid("Id of the organization."),
    name: Type.String({ description: "Name of the organization.", examples: ["Analytical Engines"] }),
    role: choice(memberRoles),
  }),
);

export const Session = component(
  "Session",
  Type.Object({
    user: Type.Object({
      id: uuid("The user."),
      name: Type.String({ examples: ["Ada Lovelace"] }),
      email: Type.String({ examples: ["ada@example.com"] }),
      has_password: Type.Boolean({
        description:
          "True if the user has a password. The first administrator has none until they set one after the first sign-in.",
      }),
      second_factor: choice(secondFactors, {
        description: "`totp` if sign-in needs a code of an authenticator app besides the password.",
      }),
    }),
    organization_id: Type.Union([uuid("The organization in which the user of the session works."), Type.Null()], {
      description: "The organization in which the user of the session works; null if the user belongs to none.",
    }),
    organizations: Type.Array(Membership, { description: "All organizations of which the user is an active member." }),
    sign_on: Type.Boolean({
      description:
        "True if the session was opened with the provider of the organization. It then gives access to this organization alone.",
    }),
    expires_at: timestamp(
      "Time at which the session expires if it is not used, at the latest 30 days after sign-in, or 12 hours after sign-on.",
    ),
  }),
);
export type SessionJson = Static<typeof Session>;

const known = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

export const SessionEntry = component(
  "SessionEntry",
  Type.Object({
    id: uuid("Id of the session."),
    created_at: timestamp("When the user signed in."),
    last_used_at: timestamp("Time of the last use, precise to the day."),
    expires_at: timestamp("Time at which it expires if it is not used."),
    address: known(Type.String({ description: "Client address at sign-in.", examples: ["203.0.113.7"] })),
    user_agent: known(Type.String({ description: "`User-Agent` of the browser.", examples: ["Mozilla/5.0"] })),
    is_current: Type.Boolean({ description: "True if this request uses the session." }),
  }),
);
export type SessionEntryJson = Static<typeof SessionEntry>;

export const signedIn = {
  description: "The session. Its cookie authenticates further requests.",
  body: success(Session),
  headers: {
    "Set-Cookie": { description: "The session cookie: HttpOnly, SameSite=Lax and, except over plain HTTP, Secure." },
  },
} as const;

const createSession = defineEndpoint({
  operationId: "createSession",
  method: "POST",
  path: "/v2/session",
  summary: "Sign in",
  description:
    "Requires the email address and the password of a user. If either is wrong, the response is the same 401 `unauthorized`. If the user has a " +
    "second factor, the right password without `code`, or with a wrong one, is 401 `second_factor_required`: repeat the request with " +
    "`code`. Ends the previous session of the request's cookie. After 10 wrong passwords for an account within an hour, further attempts get 429 `rate_limited` until " +
    "`Retry-After`. Networks from which the user signed in during the last 90 days are counted separately. Wrong codes count in the same way and " +
    "are also limited to 10 a day. A cross-site request is " +
    "403 `forbidden`, here and on all endpoints that accept the session cookie, including those that only read.",
  tag: "Session",
  auth: "none",
  body: component("CreateSessionRequest", Type.Object({ email, password: currentPassword, code: Type.Optional(code) })),
  responses: { 200: signedIn },
  errors: ["unauthorized", "second_factor_required", "sign_on_required", "forbidden"],
});

const createFirstSession = defineEndpoint({
  operationId: "createFirstSession",
  method: "POST",
  path: "/v2/session/first",
  summary: "Sign the first administrator in with a link",
  description:
    "Requires the token of a sign-in link. The service prints the link at its start while no administrator of the first organization has a " +
    "password. The token works once, within 24 hours; any other token is 401 `unauthorized`. Ends the previous session of the request's cookie. " +
    "Set a password afterwards.",
  tag: "Session",
  auth: "none",
  body: component(
    "CreateFirstSessionRequest",
    Type.Object({
      token: Type.String({ minLength: 1, maxLength: 200, description: "Token of the link, after `#token=`." }),
    }),
  ),
  responses: { 200: signedIn },
  errors: ["unauthorized", "sign_on_required", "forbidden"],
});

const getSession = defineEndpoint({
  operationId: "getSession",
  method: "GET",
  path: "/v2/session",
  summary: "Get the session",
  description: "Returns the user, the organizations to choose from, and the chosen one.",
  tag: "Session",
  auth: "none",
  responses: { 200: { description: "The session of the cookie.", body: success(Session) } },
  errors: ["unauthorized", "forbidden"],
});

const updateSession = defineEndpoint({
  operationId: "updateSession",
  method: "PATCH",
  path: "/v2/session",
  summary: "Choose the organization of the session",
  description: "Requests with the cookie of the session are then for this organization.",
  tag: "Session",
  auth: "none",
  body: component(
    "UpdateSessionRequest",
    Type.Object({ organization_id: uuid("An organization to which the user belongs.") }),
  ),
  responses: { 200: { description: "The changed session.", body: success(Session) } },
  errors: ["unauthorized", "forbidden", "organization_not_found"],
});

const deleteSession = defineEndpoint({
  operationId: "deleteSession",
  method: "DELETE",
  path: "/v2/session",
  summary: "Sign out",
  description: "Ends the session on the server, so that its cookie is no longer valid.",
  tag: "Session",
  auth: "none",
  responses: {
    200: {
      description: "The session has ended.",
      body: success(Type.Object({})),
      headers: { "Set-Cookie": { description: "Removes the cookie." } },
    },
  },
  errors: ["unauthorized", "forbidden"],
});

const changePassword = defineEndpoint({
  operationId: "changePassword",
  method: "PUT",
  path: "/v2/session/password",
  summary: "Change the password",
  description:
    "Ends all other sessions of the user. A wrong current password is 401 `unauthorized` and counts as a failed sign-in. A user without " +
    "a password (`has_password` is false) leaves `current_password` out. For other users, a missing `current_password` is 422 `invalid_request`.",
  tag: "Session",
  auth: "none",
  body: component(
    "ChangePasswordRequest",
    Type.Object({ current_password: Type.Optional(currentPassword), new_password: newPassword }),
  ),
  responses: { 200: signedIn },
  errors: ["unauthorized", "sign_on_required", "forbidden"],
});

const TotpSetup = component(
  "TotpSetup",
  Type.Object({
    secret: Type.String({
      description: "The secret in base32, for typing into the app.",
      examples: ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
    }),
    uri: Type.String({
      description: "The secret as a URI, for a QR code.",
      examples: [
        "otpauth://totp/Sheaf:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Sheaf&digits=6&period=30",
      ],
    }),
  }),
);
export type TotpSetupJson = Static<typeof TotpSetup>;

const RecoveryCodes = component(
  "RecoveryCodes",
  Type.Object({
    recovery_codes: Type.Array(Type.String({ examples: ["7k3qm-x92fd"] }), {
      description: "Ten codes for signing in without the app. Each works once. They are not shown again.",
    }),
  }),
);
export type RecoveryCodesJson = Static<typeof RecoveryCodes>;

const startTotp = defineEndpoint({
  operationId: "startTotp",
  method: "POST",
  path: "/v2/session/totp",
  summary: "Start to set up an authenticator app",
  description:
    "Returns a new secret, which replaces one that has not been confirmed. Confirm it within 15 minutes. Until then sign-in does not " +
    "change. A wrong password is 401 `unauthorized` and counts as a failed sign-in. If a second factor is already on, the response is 409 `conflict`.",
  tag: "Session",
  auth: "none",
  body: component("StartTotpRequest", Type.Object({ password: currentPassword })),
  responses: { 200: { description: "The secret.", body: success(TotpSetup) } },
  errors: ["unauthorized", "forbidden", "conflict"],
});

const confirmTotp = defineEndpoint({
  operationId: "confirmTotp",
  method: "PUT",
  path: "/v2/session/totp",
  summary: "Turn on the second factor",
  description:
    "Requires a code that the app shows for the new secret; a wrong one is 401 `second_factor_required`. From then on, sign-in requires a " +
    "code. Ends all other sessions of the user. Without a secret to confirm it is 409 `conflict`.",
  tag: "Session",
  auth: "none",
  body: component("ConfirmTotpRequest", Type.Object({ code })),
  responses: { 200: { description: "The recovery codes.", body: success(RecoveryCodes) } },
  errors: ["unauthorized", "second_factor_required", "forbidden", "conflict"],
});

const deleteTotp = defineEndpoint({
  operationId: "deleteTotp",
  method: "DELETE",
  path: "/v2/session/totp",
  summary: "Turn off the second factor",
  description:
    "Requires either the current password or a code. A wrong password is 401 `unauthorized`, a wrong code 401 `second_factor_required`; " +
    "both count as failed attempts, as at sign-in. If there is no second factor, it is 409 `conflict`.",
  tag: "Session",
  auth: "none",
  body: component(
    "DeleteTotpRequest",
    Type.Object({ password: Type.Optional(currentPassword), code: Type.Optional(code) }),
  ),
  responses: { 200: { description: "The second factor is off.", body: success(Type.Object({})) } },
  errors: ["unauthorized", "second_factor_required", "forbidden", "conflict"],
});

const acceptInvitation = defineEndpoint({
  operationId: "acceptInvitation",
  method: "POST",
  path: "/v2/invitations/accept",
  summary: "Accept an invitation",
  description:
    "Users who are signed in with the invited address, or give the password of an account with that address, join with that account. " +
    "If an account that is found by its password has a second factor, the request also needs `code`, as for `createSession`. Otherwise a new account is created, separate from any other account with the address. The response is a session, as after " +
    "sign-in, and does not reveal whether the address has other accounts.",
  tag: "Session",
  auth: "none",
  body: component(
    "AcceptInvitationRequest",
    Type.Object({
      token: Type.String({ minLength: 1, maxLength: 200, description: "Token of the invitation." }),
      name: Type.Optional(personName),
      password: newPassword,
      code: Type.Optional(code),
    }),
  ),
  responses: {
    200: {
      description: "The session of the new member.",
      body: success(Session),
      headers: { "Set-Cookie": { description: "The session cookie." } },
    },
  },
  errors: ["invitation_not_found", "unauthorized", "second_factor_required", "sign_on_required", "forbidden"],
});

const listSessions = defineEndpoint({
  operationId: "listSessions",
  method: "GET",
  path: "/v2/sessions",
  summary: "List your sessions",
  description: "Lists the active sessions of the signed-in user, newest first.",
  tag: "Session",
  auth: "none",
  responses: { 200: { description: "The sessions.", body: success(Type.Array(SessionEntry)) } },
  errors: ["unauthorized", "forbidden"],
});

const endSession = defineEndpoint({
  operationId: "endSession",
  method: "DELETE",
  path: "/v2/sessions/{sessionId}",
  summary: "End one of your sessions",
  description: "The cookie of the session is refused from the next request on.",
  tag: "Session",
  auth: "none",
  pathParameters: Type.Object({ sessionId: Type.String({ description: "Id of the session." }) }),
  responses: {
    200: { description: "The session has ended.", body: success(Type.Object({ id: uuid("Id of the session.") })) },
  },
  errors: ["unauthorized", "forbidden", "not_found"],
});

export const sessionsEndpoints = {
  createSession,
  createFirstSession,
  getSession,
  updateSession,
  deleteSession,
  changePassword,
  startTotp,
  confirmTotp,
  deleteTotp,
  acceptInvitation,
  listSessions,
  endSession,
};
