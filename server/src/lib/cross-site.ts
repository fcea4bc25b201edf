/** Detects cross-site requests of browsers. Such a request must not use the session cookie. */

export interface RequestSource {
  header(name: string): string | undefined;
}

/**
 * Browsers send Origin or Sec-Fetch-Site with every request that changes something, and
 * Sec-Fetch-Site over TLS and on localhost with every read. A write with neither comes from no
 * browser, so it carries nobody's cookie.
 */
export function isCrossSite({ header }: RequestSource, publicUrl: string | undefined): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = header("origin");
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== header("host");
}
