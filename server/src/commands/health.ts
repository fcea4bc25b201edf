/** `sheaf health`: requests the health of the running service, for health checks of containers. */
import { isIPv6 } from "node:net";
import { readConfig } from "../config.ts";

/**
 * Maximum time of the request, in milliseconds. Docker and Kubernetes themselves abort a health
 * check after some seconds, but without a message.
 */
const patienceMs = 5_000;

/**
 * Maps each address that means all network interfaces to an address at which the service can be
 * reached.
 */
const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** @throws Error if the service reports a problem or does not respond */
export async function health({ ready }: { ready: boolean }): Promise<void> {
  const { host, port } = readConfig();
  if (port === 0) throw new Error("SHEAF_PORT is 0, so the port of the service is not known.");
  const address = loopback[host] ?? host;
  const url = `http://${isIPv6(address) ? `[${address}]` : address}:${port}${ready ? "/readyz" : "/healthz"}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  if (response === undefined) throw new Error(`${url} does not respond.`);
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  if (!response.ok) throw new Error(body.error ?? `${url} responds ${response.status}.`);
  console.log(ready ? "ready" : "running");
}
