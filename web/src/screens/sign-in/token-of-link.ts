/**
 * The token after `#token=` in the link that opened the page. Browsers do not send this part to
 * servers. It is removed from the address, so that it does not stay in the history.
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
