/** The header `Content-Disposition` of a download. */

/** Characters that `encodeURIComponent` leaves as they are although RFC 8187 escapes them. */
const unescaped = /['()*]/g;

/**
 * Returns the value for a download under a name that a client chose: once in ASCII for old clients,
 * and exactly, as RFC 6266 says.
 */
export function attachment(filename: string): string {
  const ascii = filename
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const exact = encodeURIComponent(filename.toWellFormed()).replace(
    unescaped,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
