/** The `Content-Disposition` header of a download. */

/**
 * Characters that RFC 8187 requires to be escaped but that `encodeURIComponent` does not escape.
 */
const unescaped = /['()*]/g;

/**
 * Returns the header value for a download whose file name was chosen by a client. As in RFC 6266,
 * it contains the name in ASCII, for old clients, and the exact name.
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
