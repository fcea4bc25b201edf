/**
 * Origins of browsers. A page of another site must not call the server, not even one whose name was
 * made to resolve to the address of the server (DNS rebinding): it would then have the right Host.
 */
import { AppError } from "./errors.ts";

/** Host names of this machine; no page of another site can have them. */
const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Only browsers send an Origin. It must be that of the public URL, or a page of this machine on a
 * service that is reached at an address of this machine.
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
  throw new AppError("forbidden", undefined, { message: "Requests of other sites are refused." });
}

/** Returns the URL of the service as a client without TLS reaches it. */
export function originOf(host: string | undefined): string {
  const isHost = host !== undefined && /^(?:[\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/.test(host);
  const url = `http://${isHost ? host : "localhost"}`;
  return URL.canParse(url) ? url : "http://localhost";
}
