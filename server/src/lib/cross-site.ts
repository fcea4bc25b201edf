/** Whether a browser sends a request for a page of another site: such a request must not act with the cookie of this one. */

export interface RequestSource {
  header(name: string): string | undefined;
}

/** Every browser says where a request that changes something comes from; what says nothing is no browser and has no cookie of somebody. */
export function isCrossSite({ header }: RequestSource, publicUrl: string | undefined): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = header("origin");
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== header("host");
}
