/** Finds the access tokens of a request in its `x-api-key` and `Authorization: Bearer` headers. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/**
 * Returns the token in the headers; undefined if there is none. An empty header counts as an
 * invalid token. Other schemes of `Authorization`, such as those of a proxy, are ignored.
 */
export function tokenOf({ "x-api-key": key, authorization }: IncomingHttpHeaders): string | undefined {
  return typeof key === "string" ? key : authorization && bearerToken(authorization);
}

/**
 * Returns true if the request presents different tokens, so that it is unclear which one counts.
 */
export function hasDifferentTokens({ headers, headersDistinct }: IncomingMessage): boolean {
  // `headers` contains only the first `Authorization` header of a request.
  const bearers = (headersDistinct.authorization ?? []).flatMap((value) => bearerToken(value) ?? []);
  const token = tokenOf(headers);
  return bearers.some((bearer) => bearer !== token);
}

function bearerToken(authorization: string): string | undefined {
  const [scheme = "", ...rest] = authorization.split(" ");
  return scheme.toLowerCase() === "bearer" ? rest.join(" ").trim() : undefined;
}
