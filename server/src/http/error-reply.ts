/** Maps every error to a response: the error envelope, with the HTTP status of the error's code. */
import { type ErrorCode, errors, type Issue } from "@sheaf/contract/errors.ts";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { appErrorOf } from "../lib/app-error-of.ts";
import { AppError } from "../lib/errors.ts";

export interface ErrorEnvelope {
  status: "error";
  code: ErrorCode;
  error: string;
  detail?: object;
}

export const errorEnvelope = (error: AppError): ErrorEnvelope => ({
  status: "error",
  code: error.code,
  error: error.message,
  ...(error.detail === undefined ? {} : { detail: error.detail }),
});

/** Seconds in the Retry-After header, for codes of temporary errors. */
const retryAfterSeconds: Partial<Record<ErrorCode, string>> = {
  agent_unavailable: "5",
  antivirus_unavailable: "30",
  rate_limited: "1",
};

/** @param asText codes of errors that are sent as plain text: the body is the code alone */
export function replyWithError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  asText: readonly ErrorCode[] = [],
): FastifyReply {
  const appError = reportError(error, request, reply);
  const { status } = errors[appError.code];
  if (asText.includes(appError.code)) return reply.code(status).type("text/plain; charset=utf-8").send(appError.code);
  return reply.code(status).type("application/json; charset=utf-8").send(errorEnvelope(appError));
}

/** Logs and counts an error, and sets `Retry-After`. Returns the error as an `AppError`. */
export function reportError(error: unknown, request: FastifyRequest, reply: FastifyReply): AppError {
  const appError = toAppError(error);
  const { status } = errors[appError.code];
  request.observed?.failed(appError.code);
  const about = { request: request.id, err: error };
  if (appError.code === "internal_error") request.log.error(about, "unexpected error");
  // Browsers abandon requests when the user leaves a screen, so this is not logged as an error of
  // the service.
  else if (reply.raw.destroyed) request.log.debug(about, "the client disconnected");
  // Administrators need the cause of a failed sign-on to set up a provider.
  else if (status >= 500 || appError.code === "infected_file" || appError.code === "sign_on_failed")
    request.log.warn({ ...about, code: appError.code }, "request failed");
  const retryAfter = appError.retryAfterSeconds?.toString() ?? retryAfterSeconds[appError.code];
  if (retryAfter && !reply.hasHeader("retry-after")) reply.header("retry-after", retryAfter);
  return appError;
}

const busy = JSON.stringify(
  errorEnvelope(new AppError("agent_unavailable", undefined, { message: "The service is busy; try again later." })),
);

/**
 * Replies to a request that load shedding refused. Does as little work as possible and logs
 * nothing.
 */
export const replyBusy = (reply: FastifyReply): FastifyReply =>
  reply.code(503).header("retry-after", "2").type("application/json; charset=utf-8").send(busy);

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = (error as Partial<FastifyError>).code ?? "";
  const issue = frameworkIssues[code];
  if (issue) return new AppError("invalid_request", { issues: [issue] }, { cause: error });
  if (code === "FST_ERR_BAD_URL") return new AppError("not_found", undefined, { cause: error });
  return appErrorOf(error);
}

/** Issues to report for errors that Fastify raises before a route runs. */
const frameworkIssues: Record<string, Issue> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { path: "", message: "Content-Type must be application/json" },
  FST_ERR_CTP_EMPTY_JSON_BODY: { path: "", message: "the body is empty" },
  FST_ERR_CTP_INVALID_JSON_BODY: { path: "", message: "the body is not valid JSON" },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { path: "", message: "Content-Length does not match the body" },
};
