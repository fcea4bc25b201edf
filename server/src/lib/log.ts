/**
 * The log: JSON lines on standard error, because commands print to standard output. Each line has
 * the process id and the host name (pino's default), to tell processes apart. Lines about requests
 * contain the path without its query, because the query of the token endpoint contains a secret.
 * Every line written on behalf of a request or a job contains the id of that request or job.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { destination, type Logger, pino } from "pino";

export type { Logger } from "pino";
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "silent";

/** The request or job that a line belongs to. */
export type LogContext = { request: string } | { job: string; name: string; attempt: number };

const context = new AsyncLocalStorage<LogContext>();

export function openLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: () => ({ ...context.getStore() }),
      serializers: { err: loggableError },
    },
    destination({ dest: 2, sync: true }),
  );
}

/** Runs `work`, and everything it starts, in the log context of a request or job. */
export const withLogContext = <T>(of: LogContext, work: () => T): T => context.run(of, work);

/**
 * Returns the part of a URL that may be logged: the path, cut before the first encoded character,
 * which may be an encoded `?`.
 */
export const loggablePath = (url: string): string => /^[\w./~-]{0,200}/.exec(url)?.[0] ?? "";

interface LoggableError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggableError;
}

const maxCauses = 5;

/**
 * Returns the part of an error that may be logged. Errors of libraries have further members that
 * may contain documents or secrets, such as a whole request or the row that violated a constraint.
 * The message of a JSON parser is replaced, because it quotes the parsed text.
 */
function loggableError(error: unknown, depth = 0): LoggableError {
  // Only our own code uses a string as a cause, so the string may be logged.
  if (typeof error === "string" && depth > 0) return { type: "cause", message: error };
  if (!(error instanceof Error)) return { type: typeof error, message: "a value was thrown that is not an Error" };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  const quotes = error instanceof SyntaxError && message.includes("JSON");
  return {
    type: name,
    message: quotes ? "the text is not valid JSON" : message,
    ...(typeof code === "string" ? { code } : {}),
    // The first lines of a stack trace repeat the message.
    ...(stack === undefined ? {} : { stack: stack.split("\n").filter(isFrame).join("\n") }),
    ...(cause === undefined || depth === maxCauses ? {} : { cause: loggableError(cause, depth + 1) }),
  };
}

const isFrame = (line: string): boolean => line.startsWith("    at ");
