/** Options that all clients of the service have in common. */
import type { TransportSettings } from "./transport.ts";

export interface ConnectionOptions {
  /** URL of the service without `/v2`, such as `https://sheaf.example.com`. */
  baseUrl: string;
  /** Replaces the `fetch` of the platform, for example to use a proxy, or in tests. */
  fetch?: typeof fetch | undefined;
  /**
   * Maximum number of times that a GET, PUT, DELETE or POST is retried after 429, 503 or a broken
   * connection. Default: 3.
   */
  retries?: number | undefined;
  /** Maximum time for a request including its retries, in milliseconds. Default: 2 minutes. */
  timeoutMs?: number | undefined;
  /**
   * Maximum time for a request with a file, in milliseconds. Default: 10 minutes. The `fetch` of
   * Node also fails if no response begins within 5 minutes after the last byte was sent.
   */
  uploadTimeoutMs?: number | undefined;
}

/**
 * @throws TypeError if the base URL is not an http or https URL, or has credentials, a query or a
 * fragment
 */
export function transportSettings(options: ConnectionOptions): TransportSettings {
  const { retries = 3, timeoutMs = 120_000, uploadTimeoutMs = 600_000 } = options;
  return {
    baseUrl: baseUrlOf(options.baseUrl),
    // Wraps the global `fetch`, because in a browser it fails if it is called as a method of
    // another object.
    fetch: options.fetch ?? ((...call: Parameters<typeof fetch>) => fetch(...call)),
    retries,
    timeoutMs,
    uploadTimeoutMs,
  };
}

function baseUrlOf(text: string): string {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError("baseUrl must be an http or https URL without credentials, query and fragment.");
  return url.href.replace(/(?<!\/)\/+$/, "");
}
