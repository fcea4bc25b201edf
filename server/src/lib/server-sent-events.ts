/** The wire format of server-sent events. */

/** Keeps caches and proxies from storing or delaying a stream. */
export const eventStreamHeaders = { "cache-control": "no-store", "x-accel-buffering": "no" };

/**
 * Maximum time without a byte, in milliseconds. Half of the shortest idle time after which common
 * proxies close a connection (30 s).
 */
export const heartbeatMs = 15_000;

/** Serialized JSON contains no line breaks, so one line of data is enough. */
export const eventText = ({ event, data }: { event: string; data: unknown }): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
