/**
 * The log: JSON lines on standard error, so that standard output stays for what a command prints.
 * Request lines carry the path without its query, because the query of the token endpoint holds a secret.
 */
import { destination, type Logger, pino } from "pino";

export type { Logger } from "pino";
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "silent";

export function openLog(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination({ dest: 2, sync: true }),
  );
}

/** What may be logged of a URL: its path. */
export const loggablePath = (url: string): string => url.split(/[?#]/, 1)[0] ?? "";
