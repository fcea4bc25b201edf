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
  description: `At least ${limits.passwordMinLength} characters.`,
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
    expires_at: timestamp("When the session ends, unless it is used before."),
  }),
);
export type SessionJson = Static<typeof Session>;

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
    "With the email address and the password of a user. A wrong one of either answers the same 401. A request from another site is " +
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
  description: "Ends every other session of the user. A wrong current password is 401 `unauthorized`.",
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
    "Makes the user, where there is none with the address of the invitation; else `password` must be theirs, or it is 401 " +
    "`unauthorized`. The answer is a session, as after signing in.",
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

export const sessionsEndpoints = {
  createSession,
  getSession,
  updateSession,
  deleteSession,
  changePassword,
  acceptInvitation,
};
