/**
 * The token after `#token=` in the URL that opened the page. Browsers do not send this part to
 * servers. The token is removed from the URL, so that it does not stay in the history.
 */
let taken: string | undefined;

export function takeTokenOfLink(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null && token !== "") {
    taken = token;
    history.replaceState(history.state, "", location.pathname);
  }
  return taken;
}
