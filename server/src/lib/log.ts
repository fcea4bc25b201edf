/**
 * The log: JSON lines on standard error, so that standard output stays for what a command prints.
 * Request lines carry the path without its query, because the query of the token endpoint holds a secret. Every line that is written
 * while a request or a job is done says which.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { destination, type Logger, pino } from "pino";

export type { Logger } from "pino";
export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "silent";

/** What a line belongs to. */
export type LogContext = { request: string } | { job: string; name: string; attempt: number };

const context = new AsyncLocalStorage<LogContext>();

export function openLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: () => ({ ...context.getStore() }),
      serializers: { err: loggableError },
    },
    destination({ dest: 2, sync: true }),
  );
}

/** Does `work`, and all that it begins, under the name of a request or a job. */
export const withLogContext = <T>(of: LogContext, work: () => T): T => context.run(of, work);

/** What may be logged of a URL: its path. It ends too where something is encoded, which may be the mark before a query. */
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
 * What may be logged of an error. Libraries hang more on theirs, such as the row that broke a constraint or a whole request, and that may
 * be a document's or a secret; so does the message of a JSON parser, which quotes the text.
 */
function loggableError(error: unknown, depth = 0): LoggableError {
  // As a cause a text is our own.
  if (typeof error === "string" && depth > 0) return { type: "cause", message: error };
  if (!(error instanceof Error)) return { type: typeof error, message: "what was thrown is no error" };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  const quotes = error instanceof SyntaxError && message.includes("JSON");
  return {
    type: name,
    message: quotes ? "the text is not valid JSON" : message,
    ...(typeof code === "string" ? { code } : {}),
    // The first lines of a stack are the message.
    ...(stack === undefined ? {} : { stack: stack.split("\n").filter(isFrame).join("\n") }),
    ...(cause === undefined || depth === maxCauses ? {} : { cause: loggableError(cause, depth + 1) }),
  };
}

const isFrame = (line: string): boolean => line.startsWith("    at ");
