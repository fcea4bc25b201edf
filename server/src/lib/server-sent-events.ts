/** The wire format of server-sent events. */

/** Headers that keep caches and proxies from storing or delaying a stream. */
export const eventStreamHeaders = { "cache-control": "no-store", "x-accel-buffering": "no" };

/**
 * Maximum time without sending a byte, in milliseconds. Some common proxies close a connection that
 * is idle for 30 s; this is half of that time.
 */
export const heartbeatMs = 15_000;

/** Serializes an event. JSON contains no raw line breaks, so a single `data` line is enough. */
export const eventText = ({ event, data }: { event: string; data: unknown }): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
