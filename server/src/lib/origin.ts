/**
 * Checks the Origin header, so that pages of other sites cannot call the server. The Host header is
 * not enough: in DNS rebinding, an attacker's host name resolves to the address of this server, and
 * the request has that name as its Host.
 */
import { AppError } from "./errors.ts";

/**
 * Names of this machine. A page of another site cannot have one of these names as the host of its
 * Origin.
 */
const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Throws if a page of another site sent the request. Requests without an Origin pass, because only
 * browsers send one. An Origin is accepted if it is that of the public URL, or if both Origin and
 * Host are loopback names such as `localhost`.
 * @throws AppError `forbidden`
 */
export function checkOrigin(header: (name: string) => string | undefined, publicUrl: string | undefined): void {
  const origin = header("origin");
  if (origin === undefined) return;
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
  if (parsed !== undefined) {
    if (publicUrl !== undefined && parsed.origin === new URL(publicUrl).origin) return;
    const host = new URL(originOf(header("host"))).hostname;
    if (loopback.includes(parsed.hostname) && loopback.includes(host)) return;
  }
  throw new AppError("forbidden", undefined, { message: "Requests from pages of other sites are refused." });
}

/** Returns the URL at which a client without TLS reaches the service. */
export function originOf(host: string | undefined): string {
  const isHost = host !== undefined && /^(?:[\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/.test(host);
  const url = `http://${isHost ? host : "localhost"}`;
  return URL.canParse(url) ? url : "http://localhost";
}
