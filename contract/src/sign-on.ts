/** Sign-on with the identity provider of an organization, by OpenID Connect. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { component } from "./schema.ts";
import { email, signedIn } from "./sessions.ts";
import Type from "./type.ts";

const orNull = (schema: ReturnType<typeof text>, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const claimText = (examples: string[]) => text({ minLength: 1, maxLength: limits.signOnTextMaxLength, examples });
const issuer = text({
  minLength: 1,
  maxLength: limits.urlMaxLength,
  description:
    "URL of the provider, exactly as its configuration states it. The configuration is read at `/.well-known/openid-configuration` below it.",
  examples: ["https://login.example.com"],
});
const clientId = claimText(["sheaf"]);
const scope = text({
  minLength: 1,
  maxLength: limits.signOnTextMaxLength,
  description: "Scopes to request, separated by spaces. Must include `openid`. Default: `openid email profile`.",
  examples: ["openid email profile groups"],
});
const groupsClaim = orNull(claimText(["groups"]), "Claim with the groups of a user; null if groups are not mapped.");
const administratorValue = orNull(
  claimText(["sheaf-administrators"]),
  "Value of the groups claim that makes a member an administrator. All other members become members at their sign-in. If it is null, " +
    "roles are set here alone.",
);
const GroupMapping = component(
  "SignOnGroup",
  Type.Object({
    value: claimText(["accounting-team"]),
    group: text({
      minLength: 1,
      maxLength: limits.groupNameMaxLength,
      description: "Name of a group of the organization.",
      examples: ["Accounting"],
    }),
  }),
);
const groups = Type.Array(GroupMapping, {
  maxItems: limits.maxSignOnGroups,
  description:
    "Maps values of the groups claim to groups. A user with a value becomes a member of its group, and a user without the value leaves it. Groups that are not listed do not change.",
});
const enforced = Type.Boolean({
  description:
    "True if members with an address of the organization's domains can only sign in with the provider. Passwords and passkeys then give them no access to the organization.",
});
const breakGlass = "Administrator who can still sign in with a password if sign-on is enforced.";

const SignOnProvider = component(
  "SignOnProvider",
  Type.Object({
    issuer,
    client_id: clientId,
    scope,
    groups_claim: groupsClaim,
    administrator_value: administratorValue,
    groups,
    enforced,
    break_glass_member_id: Type.Union([uuid(breakGlass), Type.Null()], { description: breakGlass }),
    created_at: timestamp("When it was configured."),
    updated_at: timestamp("Time of the last change."),
  }),
);

const SignOn = component(
  "SignOn",
  Type.Object({
    redirect_uri: Type.Union([Type.String(), Type.Null()], {
      description: "Redirect URI to register at the provider; null if the service has no public URL.",
      examples: ["https://sheaf.example.com/sign-on/0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77"],
    }),
    scim_url: Type.Union([Type.String(), Type.Null()], {
      description: "Base URL of SCIM to enter at the provider; null if the service has no public URL.",
      examples: ["https://sheaf.example.com/scim/v2"],
    }),
    domains: Type.Array(Type.String({ examples: ["example.com"] }), {
      description: "Email domains of the organization. Only the operator of the service can change them.",
    }),
    provider: Type.Union([SignOnProvider, Type.Null()], { description: "The provider; null if none is configured." }),
  }),
);
export type SignOnJson = Static<typeof SignOn>;

export const PutSignOnRequest = component(
  "PutSignOnRequest",
  Type.Object({
    issuer,
    client_id: clientId,
    client_secret: Type.Optional(
      text({
        minLength: 1,
        maxLength: limits.signOnTextMaxLength,
        description: "Never shown again. Required unless neither the issuer nor the client id changes.",
        examples: ["c2VjcmV0LW9mLXRoZS1jbGllbnQ"],
      }),
    ),
    scope: Type.Optional(scope),
    groups_claim: Type.Optional(groupsClaim),
    administrator_value: Type.Optional(administratorValue),
    groups: Type.Optional(groups),
    enforced: Type.Optional(enforced),
    break_glass_member_id: Type.Optional(
      uuid(`${breakGlass} Must be an active administrator with a password. Default: the caller.`),
    ),
  }),
);
export type PutSignOnRequestJson = Static<typeof PutSignOnRequest>;

const getSignOn = defineEndpoint({
  operationId: "getSignOn",
  method: "GET",
  path: "/v2/organization/sign-on",
  summary: "Get the single sign-on settings of the organization",
  tag: "Organization",
  auth: "administrator",
  responses: { 200: { description: "Domains, redirect URI and provider.", body: success(SignOn) } },
  errors: [],
});

const putSignOn = defineEndpoint({
  operationId: "putSignOn",
  method: "PUT",
  path: "/v2/organization/sign-on",
  summary: "Configure single sign-on for the organization",
  description:
    "Replaces the whole configuration. The configuration of the provider is read and checked: if it does not respond, the request is 503 " +
    "`sign_on_unavailable`. A new issuer or client id ends all sessions opened by sign-on. Members are connected again at their next " +
    "sign-in. Without a public URL of the service or a domain of the organization it is 409 `conflict`.",
  tag: "Organization",
  auth: "administrator",
  body: PutSignOnRequest,
  responses: { 200: { description: "The new configuration.", body: success(SignOn) } },
  errors: ["conflict", "sign_on_unavailable"],
});

const deleteSignOn = defineEndpoint({
  operationId: "deleteSignOn",
  method: "DELETE",
  path: "/v2/organization/sign-on",
  summary: "Turn off single sign-on for the organization",
  description: "Ends all sessions opened by sign-on. Members stay; those without a password need one to sign in.",
  tag: "Organization",
  auth: "administrator",
  responses: { 200: { description: "Sign-on is off.", body: success(Type.Object({})) } },
  errors: ["not_found"],
});

const getSignOnAvailability = defineEndpoint({
  operationId: "getSignOnAvailability",
  method: "GET",
  path: "/v2/session/sign-on",
  summary: "Find out whether single sign-on is configured",
  description: "If so, the sign-in screen asks for the email address first.",
  tag: "Session",
  auth: "none",
  responses: {
    200: {
      description: "`available` is true if any organization has configured sign-on.",
      body: success(Type.Object({ available: Type.Boolean() })),
    },
  },
  errors: [],
});

const startSignOn = defineEndpoint({
  operationId: "startSignOn",
  method: "POST",
  path: "/v2/session/sign-on",
  summary: "Start to sign in with a provider",
  description:
    "Returns the URL to open in the browser, or null if the domain of the address has no provider: then sign in with a password. The " +
    "response depends on the domain alone, not on whether the address has an account. It sets a cookie that binds the sign-in to the " +
    "browser for ten minutes.",
  tag: "Session",
  auth: "none",
  body: component("StartSignOnRequest", Type.Object({ email })),
  responses: {
    200: {
      description: "Where the sign-in continues.",
      body: success(
        Type.Object({
          url: Type.Union(
            [Type.String({ examples: ["https://login.example.com/authorize?client_id=sheaf"] }), Type.Null()],
            {
              description: "URL of the provider; null if there is none.",
            },
          ),
        }),
      ),
      headers: { "Set-Cookie": { description: "The sign-in in progress: HttpOnly, SameSite=Lax." } },
    },
  },
  errors: ["forbidden", "sign_on_failed", "sign_on_unavailable"],
});

const completeSignOn = defineEndpoint({
  operationId: "completeSignOn",
  method: "POST",
  path: "/v2/session/sign-on/complete",
  summary: "Sign in with the response of a provider",
  description:
    "Called by the page at the redirect URI, in the browser that started the sign-in. The first sign-in creates a member if the provider " +
    "has verified the email address and its domain belongs to the organization. Anything wrong is 401 `sign_on_failed` with a reason. " +
    "The session gives access to this organization alone, cannot change the account of the user, and ends after 12 hours at the latest. " +
    "No second factor is asked for.",
  tag: "Session",
  auth: "none",
  body: component(
    "CompleteSignOnRequest",
    Type.Object({
      organization_id: uuid("The organization named in the redirect URI."),
      response: text({
        minLength: 1,
        maxLength: limits.signOnResponseMaxLength,
        description: "Query of the URL at which the provider sent the browser back, without the question mark.",
        examples: ["code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj"],
      }),
    }),
  ),
  responses: { 200: signedIn },
  errors: ["forbidden", "sign_on_failed", "sign_on_unavailable"],
});

export const signOnEndpoints = {
  getSignOn,
  putSignOn,
  deleteSignOn,
  getSignOnAvailability,
  startSignOn,
  completeSignOn,
};
