/** Detects cross-site requests of browsers. Such a request must not use the session cookie. */

export interface RequestSource {
  header(name: string): string | undefined;
}

/**
 * Returns whether a page of another site caused the request. Browsers send Origin or Sec-Fetch-Site
 * with every write. With reads they send Sec-Fetch-Site, but only over TLS and on localhost. A
 * write with neither header does not come from a browser, so it cannot abuse a user's cookie.
 */
export function isCrossSite({ header }: RequestSource, publicUrl: string | undefined): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = header("origin");
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== header("host");
}
