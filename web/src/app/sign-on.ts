/** Sign-on with the provider of an organization: the redirects to the provider and back. */
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "./api.ts";

/**
 * Query that tells whether any organization has a provider. If so, the sign-in page asks for the
 * email address first.
 */
export const signOnQuery = queryOptions({
  queryKey: ["sign-on"],
  queryFn: async ({ signal }) => (await sheaf.getSignOnAvailability({ signal })).data.available,
  staleTime: 60_000,
});

const targetKey = "sheaf.sign-on.target";

/**
 * Opens the sign-in page of the provider to which the domain of the address belongs. Resolves to
 * false if the domain has no provider. Otherwise never resolves, because the browser leaves the
 * page.
 * @param target path to return to
 */
export async function leaveForProvider(email: string, target: string): Promise<boolean> {
  const { url } = (await sheaf.startSignOn({ email })).data;
  if (url === null) return false;
  sessionStorage.setItem(targetKey, target);
  location.assign(url);
  return new Promise(() => {});
}

/**
 * Returns the path to return to after sign-on, and forgets it. Only paths of this application are
 * allowed.
 */
export function takeTarget(): string {
  const target = sessionStorage.getItem(targetKey) ?? "";
  sessionStorage.removeItem(targetKey);
  return isOwnPath(target) ? target : "/";
}

export const isOwnPath = (path: unknown): path is string => typeof path === "string" && /^\/(?![/\\])/.test(path);

/**
 * Query string that the provider added when it redirected the browser back to Sheaf. Read when the
 * application starts, before the router parses the address, and removed so that it does not stay in
 * the history.
 */
export const responseOfProvider: string = location.pathname.startsWith("/sign-on/") ? location.search.slice(1) : "";
if (responseOfProvider !== "") history.replaceState(history.state, "", location.pathname);
