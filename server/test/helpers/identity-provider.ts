/** A real OpenID Connect provider, and a browser that signs in with it. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export interface Account {
  sub: string;
  email?: unknown;
  email_verified?: unknown;
  name?: string;
  groups?: unknown;
}

export const client = { id: "sheaf", secret: "secret of the client" };

export interface IdentityProvider extends AsyncDisposable {
  issuer: string;
  /** The account with which the next sign-in succeeds; undefined if the user refuses. */
  account: Account | undefined;
  /** Registers the redirect URI of an organization. */
  register(redirectUri: string): void;
}

/** @param inIdToken false if claims about the user are only at the userinfo endpoint */
export async function openIdentityProvider({ inIdToken = true } = {}): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUris: string[] = [];
  const accounts = new Map<string, Account>();
  let current: Account | undefined;
  const open = () => {
    const provider = new Provider(issuer, {
      clients:
        redirectUris.length === 0
          ? []
          : [{ client_id: client.id, client_secret: client.secret, redirect_uris: redirectUris }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
      conformIdTokenClaims: !inIdToken,
      pkce: { required: () => true },
      cookies: { keys: ["only for tests"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => ({ ...accounts.get(sub), sub }) }),
    });
    provider.use(async (context, next) => {
      if (!context.path.startsWith("/interaction/")) return next();
      const { req, res } = context;
      context.respond = false;
      if (current === undefined)
        return provider.interactionFinished(req, res, { error: "access_denied" }, { mergeWithLastSubmission: false });
      const { sub } = current;
      accounts.set(sub, current);
      const { prompt, params } = await provider.interactionDetails(req, res);
      if (prompt.name === "login")
        return provider.interactionFinished(
          req,
          res,
          { login: { accountId: sub } },
          { mergeWithLastSubmission: false },
        );
      const grant = new provider.Grant({ accountId: sub, clientId: client.id });
      grant.addOIDCScope(String(params.scope));
      const consent = { grantId: await grant.save() };
      return provider.interactionFinished(req, res, { consent }, { mergeWithLastSubmission: true });
    });
    return provider.callback();
  };
  let callback: ReturnType<typeof open> | undefined;
  server.on("request", (request, response) => {
    callback ??= open();
    void callback(request, response);
  });
  return {
    issuer,
    get account() {
      return current;
    },
    set account(account) {
      current = account;
    },
    register: (redirectUri) => {
      redirectUris.push(redirectUri);
      callback = undefined;
    },
    [Symbol.asyncDispose]: () => closed(server),
  };
}

export const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Follows the redirects of a provider as a browser does, up to the redirect URI. Returns the query
 * string of the last redirect, which leads to the redirect URI.
 */
export async function responseOf(url: string): Promise<string> {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  let next = url;
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split(/=(.*)/);
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    assert.ok(location, `${response.status} ${await response.text()}`);
    const target = new URL(location, next);
    if (target.origin !== origin) return target.search.slice(1);
    next = target.href;
  }
  throw new Error("The provider does not return.");
}
