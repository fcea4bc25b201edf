/** Detects cross-site requests of browsers. Such a request must not use the session cookie. */

export interface RequestSource {
  header(name: string): string | undefined;
}

/**
 * Browsers send Origin or Sec-Fetch-Site with every write and, over TLS and on localhost,
 * Sec-Fetch-Site with every read. A write with neither does not come from a browser, so nobody's
 * cookie can be abused.
 */
export function isCrossSite({ header }: RequestSource, publicUrl: string | undefined): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = header("origin");
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== header("host");
}
