/** Sessions of the web application: signing in with a password, choosing an organization, signing out. */
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
  description: "Email address; upper and lower case are the same.",
  examples: ["ada@example.com"],
});
/** A password that is chosen. One that is only checked may be anything. */
const newPassword = text({
  minLength: limits.passwordMinLength,
  maxLength: limits.passwordMaxLength,
  description:
    `At least ${limits.passwordMinLength} characters. One that is common, a sequence, or contains the email address or the name is ` +
    "422 `invalid_request`.",
  examples: ["correct horse battery staple"],
});
const password = text({
  minLength: 1,
  maxLength: limits.passwordMaxLength,
  examples: ["correct horse battery staple"],
});
const personName = text({ minLength: 1, maxLength: limits.personNameMaxLength, examples: ["Ada Lovelace"] });

const Membership = component(
  "Membership",
  Type.Object({
    organization_id: uuid("The organization."),
    name: Type.String({ description: "Its name.", examples: ["Analytical Engines"] }),
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
    }),
    organization_id: Type.Union([uuid("The organization that the session works in."), Type.Null()], {
      description: "The organization that the session works in; null where the user belongs to none.",
    }),
    organizations: Type.Array(Membership, { description: "Every organization that the user is an active member of." }),
    expires_at: timestamp(
      "When the session ends, unless it is used before. It ends 30 days after signing in at the latest.",
    ),
  }),
);
export type SessionJson = Static<typeof Session>;

const known = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

export const SessionEntry = component(
  "SessionEntry",
  Type.Object({
    id: uuid("The session."),
    created_at: timestamp("When the user signed in."),
    last_used_at: timestamp("When it was last used, to the day."),
    expires_at: timestamp("When it ends, unless it is used before."),
    address: known(Type.String({ description: "Address that the user signed in from.", examples: ["203.0.113.7"] })),
    user_agent: known(Type.String({ description: "`User-Agent` of the browser.", examples: ["Mozilla/5.0"] })),
    is_current: Type.Boolean({ description: "Whether it is the session of this request." }),
  }),
);
export type SessionEntryJson = Static<typeof SessionEntry>;

const signedIn = {
  description: "The session; its cookie is the credential of the requests that follow.",
  body: success(Session),
  headers: {
    "Set-Cookie": { description: "The session's cookie: HttpOnly, SameSite=Lax and, but over plain HTTP, Secure." },
  },
} as const;

const createSession = defineEndpoint({
  operationId: "createSession",
  method: "POST",
  path: "/v2/session",
  summary: "Sign in",
  description:
    "With the email address and the password of a user. A wrong one of either answers the same 401. The session that the cookie of the " +
    "request names ends. After 10 wrong passwords of an account within an hour further tries answer 429 `rate_limited` until " +
    "`Retry-After`; networks that the user has signed in from in the last 90 days are counted apart. A request from another site is " +
    "403 `forbidden`, here and wherever a session's cookie is the credential.",
  tag: "Session",
  auth: "none",
  body: component("CreateSessionRequest", Type.Object({ email, password })),
  responses: { 200: signedIn },
  errors: ["unauthorized", "forbidden"],
});

const getSession = defineEndpoint({
  operationId: "getSession",
  method: "GET",
  path: "/v2/session",
  summary: "Get the session",
  tag: "Session",
  auth: "none",
  responses: { 200: { description: "The session of the cookie.", body: success(Session) } },
  errors: ["unauthorized"],
});

const updateSession = defineEndpoint({
  operationId: "updateSession",
  method: "PATCH",
  path: "/v2/session",
  summary: "Choose the organization of the session",
  tag: "Session",
  auth: "none",
  body: component("UpdateSessionRequest", Type.Object({ organization_id: uuid("One that the user belongs to.") })),
  responses: { 200: { description: "The session as it is now.", body: success(Session) } },
  errors: ["unauthorized", "forbidden", "organization_not_found"],
});

const deleteSession = defineEndpoint({
  operationId: "deleteSession",
  method: "DELETE",
  path: "/v2/session",
  summary: "Sign out",
  description: "Ends the session on the server: its cookie is worth nothing any more.",
  tag: "Session",
  auth: "none",
  responses: {
    200: {
      description: "The session has ended.",
      body: success(Type.Object({})),
      headers: { "Set-Cookie": { description: "Takes the cookie away." } },
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
    "Ends every other session of the user. A wrong current password is 401 `unauthorized`, and counts as one at signing in.",
  tag: "Session",
  auth: "none",
  body: component("ChangePasswordRequest", Type.Object({ current_password: password, new_password: newPassword })),
  responses: { 200: signedIn },
  errors: ["unauthorized", "forbidden"],
});

const acceptInvitation = defineEndpoint({
  operationId: "acceptInvitation",
  method: "POST",
  path: "/v2/invitations/accept",
  summary: "Accept an invitation",
  description:
    "Whoever is signed in with the address of the invitation, or gives the password of an account with it, joins with that account. " +
    "Otherwise a new account is made, which is separate from any other account with the address. The answer is a session, as after " +
    "signing in, and does not reveal whether the address has other accounts.",
  tag: "Session",
  auth: "none",
  body: component(
    "AcceptInvitationRequest",
    Type.Object({
      token: Type.String({ minLength: 1, maxLength: 200, description: "Of the invitation." }),
      name: Type.Optional(personName),
      password: newPassword,
    }),
  ),
  responses: {
    200: {
      description: "The session of the new member.",
      body: success(Session),
      headers: { "Set-Cookie": { description: "The session's cookie." } },
    },
  },
  errors: ["invitation_not_found", "unauthorized", "forbidden"],
});

const listSessions = defineEndpoint({
  operationId: "listSessions",
  method: "GET",
  path: "/v2/sessions",
  summary: "List one's sessions",
  description: "Every session of the signed-in user that has not ended, the newest first.",
  tag: "Session",
  auth: "none",
  responses: { 200: { description: "The sessions.", body: success(Type.Array(SessionEntry)) } },
  errors: ["unauthorized"],
});

const endSession = defineEndpoint({
  operationId: "endSession",
  method: "DELETE",
  path: "/v2/sessions/{sessionId}",
  summary: "End one of one's sessions",
  description: "Its cookie is worth nothing from the next request on.",
  tag: "Session",
  auth: "none",
  pathParameters: Type.Object({ sessionId: Type.String({ description: "Id of the session." }) }),
  responses: {
    200: { description: "The session has ended.", body: success(Type.Object({ id: uuid("The session.") })) },
  },
  errors: ["unauthorized", "forbidden", "not_found"],
});

export const sessionsEndpoints = {
  createSession,
  getSession,
  updateSession,
  deleteSession,
  changePassword,
  acceptInvitation,
  listSessions,
  endSession,
};
