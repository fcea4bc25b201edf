/**
 * Configures Better Auth for the tables of this service. Better Auth manages passwords and
 * sessions, and knows the organizations of users. Its HTTP interface is not served;
 * `sessions.service.ts` calls its functions.
 */
import { hash, verify } from "@node-rs/argon2";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { findFirstOrganization } from "./identity.repo.ts";

export interface IdentitySettings {
  /** Signs session cookies. */
  secret: Uint8Array;
  /**
   * False only if the service is reached over plain HTTP, where browsers refuse `Secure` cookies.
   */
  secureCookies: boolean;
}

/** The API of Better Auth. */
export type Identity = Awaited<ReturnType<typeof load>>["api"];
/**
 * Loads Better Auth on the first request that needs it. Loading takes a third of a second, which
 * would delay every start and command.
 */
export type IdentitySource = () => Promise<Identity>;

/** Parameters of argon2id as recommended by OWASP: 19 MiB, two passes. A hash takes about 10 ms. */
const hashing = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Time without use after which a session expires. */
const idleSeconds = 7 * 24 * 3600;
/**
 * Maximum lifetime of a session after sign-in, however much it is used. NIST SP 800-63B requires 30
 * days.
 */
export const sessionLifetimeMs = 30 * 24 * 3_600_000;
/**
 * Maximum lifetime of a session opened by sign-on. The provider decides who may sign in, but is not
 * asked again during the session. The lifetime is one working day, chosen by hand, 2026-11.
 */
export const signOnLifetimeMs = 12 * 3_600_000;

export const hashPassword = (password: string): Promise<string> => hash(password, hashing);
export const verifyPassword = (stored: string, password: string): Promise<boolean> => verify(stored, password);

/** Origin of a new session, shown in the list of a user's sessions. */
export interface NewSession {
  userId: string;
  ipAddress: string;
  userAgent: string;
  /** The organization whose provider has authenticated the user; null for any other sign-in. */
  signOnOrganizationId: string | null;
}

/**
 * Returns the name of the session cookie. The prefix `__Host-` makes browsers send the cookie only
 * to this host and only over TLS.
 */
export const sessionCookie = (secure: boolean): string => (secure ? "__Host-sheaf_session" : "sheaf_session");

export function openIdentity(db: Db, settings: IdentitySettings): IdentitySource {
  let loaded: Promise<Identity> | undefined;
  return () => {
    loaded ??= load(db, settings).then(({ api }) => api);
    return loaded;
  };
}

async function load(db: Db, { secret, secureCookies }: IdentitySettings) {
  const { betterAuth } = await import("better-auth");
  const { createAuthEndpoint } = await import("better-auth/api");
  const { setSessionCookie } = await import("better-auth/cookies");
  const { organization } = await import("better-auth/plugins/organization");
  /**
   * Opens a session for a user whose password has already been checked. Better Auth's own sign-in
   * expects one user per address.
   */
  const metadata = { $Infer: { body: {} as NewSession } };
  const openSession = createAuthEndpoint("/open-session", { method: "POST", metadata }, async (context) => {
    const { userId, ...origin } = context.body;
    const { internalAdapter } = context.context;
    const user = await internalAdapter.findUserById(userId);
    if (!user) throw new Error("There is no such user.");
    const session = await internalAdapter.createSession(userId, false, origin);
    const lifetimeMs = origin.signOnOrganizationId === null ? sessionLifetimeMs : signOnLifetimeMs;
    await setSessionCookie(context, { session, user }, false, { maxAge: lifetimeMs / 1000 });
  });
  const times = { createdAt: "created_at", updatedAt: "updated_at" };
  return betterAuth({
    // "sqlite" also works for PostgreSQL, because `db` returns times and flags in the same format
    // for both databases.
    database: { db, type: "sqlite" },
    secret: Buffer.from(secret).toString("base64"),
    baseURL: "http://localhost",
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: hashPassword, verify: ({ hash: stored, password }) => verifyPassword(stored, password) },
    },
    user: { modelName: "users", fields: { email: "address", emailVerified: "email_verified", ...times } },
    account: {
      modelName: "accounts",
      fields: {
        userId: "user_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...times,
      },
    },
    verification: { modelName: "verifications", fields: { expiresAt: "expires_at", ...times } },
    session: {
      modelName: "sessions",
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
      additionalFields: {
        signOnOrganizationId: {
          type: "string",
          required: false,
          input: false,
          fieldName: "sign_on_organization_id",
        },
      },
      expiresIn: idleSeconds,
      updateAge: 24 * 3600,
    },
    databaseHooks: {
      session: {
        create: {
          // The session starts in the user's first organization, so that a user with only one
          // organization need not choose it.
          before: async (session) => {
            const signOn = (session as { signOnOrganizationId?: string | null }).signOnOrganizationId;
            const activeOrganizationId = signOn ?? (await findFirstOrganization(db, session.userId)) ?? null;
            return { data: { ...session, activeOrganizationId } };
          },
        },
      },
    },
    advanced: {
      database: { generateId: () => newId() },
      ipAddress: { disableIpTracking: true },
      useSecureCookies: false,
      cookiePrefix: "sheaf",
      cookies: {
        session_token: {
          name: sessionCookie(secureCookies),
          attributes: { httpOnly: true, secure: secureCookies, sameSite: "lax", path: "/" },
        },
      },
    },
    plugins: [
      { id: "sheaf", endpoints: { openSession } },
      organization({
        allowUserToCreateOrganization: false,
        disableOrganizationDeletion: true,
        creatorRole: "administrator",
        schema: {
          session: { fields: { activeOrganizationId: "active_organization_id" } },
          organization: { modelName: "organizations", fields: { createdAt: "created_at" } },
          member: {
            modelName: "members",
            fields: { organizationId: "organization_id", userId: "user_id", createdAt: "created_at" },
          },
          invitation: {
            modelName: "invitations",
            fields: {
              organizationId: "organization_id",
              inviterId: "inviter_id",
              expiresAt: "expires_at",
              createdAt: "created_at",
            },
          },
          team: {
            modelName: "groups",
            fields: { organizationId: "organization_id", createdAt: "created_at", updatedAt: "updated_at" },
          },
          teamMember: {
            modelName: "group_members",
            fields: { teamId: "group_id", userId: "user_id", createdAt: "created_at" },
          },
        },
      }),
    ],
  });
}
