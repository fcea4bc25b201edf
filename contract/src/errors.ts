/** Error codes with their HTTP status, and the contents of `detail`. */
import type { QualityLostJson } from "./scores.ts";

/**
 * The error registry. Each code has one HTTP status and one default message. Codes are stable, but
 * messages may change at any time.
 */
export const errors = {
  agent_not_found: { status: 404, message: "No such agent." },
  thread_not_found: { status: 404, message: "No such thread." },
  organization_not_found: { status: 404, message: "No such organization." },
  webhook_not_found: { status: 404, message: "No webhook is configured for this event." },
  member_not_found: { status: 404, message: "No such member." },
  invitation_not_found: { status: 404, message: "No such invitation, or it can no longer be accepted." },
  group_not_found: { status: 404, message: "No such group." },
  credential_not_found: { status: 404, message: "No such credential." },
  document_not_found: { status: 404, message: "No such document." },
  document_not_ready: { status: 409, message: "The document is not ready." },
  page_not_found: { status: 404, message: "The document has no such page." },
  page_image_unavailable: { status: 404, message: "This page has no image." },
  segment_file_unavailable: { status: 404, message: "Only pages of PDF files can be saved as a PDF." },
  document_already_exists: { status: 409, message: "A document with this name and path already exists." },
  quota_exceeded: { status: 403, message: "The quota of the plan is reached." },
  file_too_large: { status: 413, message: "The file is larger than allowed." },
  unsupported_file_type: { status: 422, message: "This file type is not accepted." },
  infected_file: { status: 422, message: "The antivirus rejected the file." },
  invalid_request: { status: 422, message: "The request is not valid." },
  invalid_agent_type: { status: 422, message: "The type of the agent does not allow this." },
  invalid_config: { status: 422, message: "The configuration of the agent is not valid." },
  antivirus_unavailable: { status: 503, message: "The antivirus is not available; try again later." },
  agent_unavailable: { status: 503, message: "The agent is not available; try again later." },
  agent_timeout: { status: 504, message: "The agent did not respond in time." },
  extraction_failed: { status: 502, message: "The document could not be processed." },
  classification_failed: { status: 502, message: "The document could not be classified." },
  internal_error: { status: 500, message: "An unexpected error occurred; the operator can find it by the request id." },
  unauthorized: {
    status: 401,
    message: "A valid token is required, in the header x-api-key or as Authorization: Bearer.",
  },
  second_factor_required: { status: 401, message: "A code of the authenticator app or a recovery code is required." },
  sign_on_required: { status: 403, message: "The organization requires sign-in with its provider." },
  sign_on_failed: { status: 401, message: "The sign-in with the provider failed." },
  sign_on_unavailable: { status: 503, message: "The provider of the organization does not respond; try again later." },
  invalid_client: { status: 401, message: "The client credentials are not valid." },
  forbidden: { status: 403, message: "The caller is not allowed to do this." },
  not_found: { status: 404, message: "No such route or resource." },
  rate_limited: { status: 429, message: "Too many requests; try again later." },
  quality_lost: { status: 409, message: "The change loses values that were right." },
  conflict: { status: 409, message: "A request with this idempotency key is still being processed." },
  gone: { status: 410, message: "This endpoint has been switched off." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/**
 * Reasons why a document could not be read or processed; `detail.reason` of `extraction_failed`.
 */
export const failureReasons = ["encrypted", "corrupt", "empty", "too_complex", "timeout", "model"] as const;
export type FailureReason = (typeof failureReasons)[number];

/**
 * Reasons why a sign-in with a provider failed; `detail.reason` of `sign_on_failed`. `expired` also
 * means that the sign-in was already used, or was started in another browser.
 */
export const signOnFailures = [
  "expired",
  "refused_by_provider",
  "invalid_response",
  "unverified_address",
  "foreign_domain",
  "another_account",
  "no_member",
] as const;
export type SignOnFailure = (typeof signOnFailures)[number];

/**
 * One problem of a request: a message, and the location as a JSON pointer (`/params/0/name`; empty
 * for the whole body).
 */
export interface Issue {
  path: string;
  message: string;
}

/** Contents of `detail` by code. Codes that are not listed have none. */
export interface ErrorDetails {
  invalid_request: { issues: Issue[] };
  invalid_config: { issues: Issue[] };
  quota_exceeded: { limit: number; current: number };
  file_too_large: { limit: number; size: number };
  unsupported_file_type: { supported: string[] };
  document_already_exists: { document_reference: string };
  quality_lost: QualityLostJson;
  /** Present only if the first request with this key is completed and its response contained a secret. */
  conflict: { reference: string };
  extraction_failed: { reason: FailureReason };
  classification_failed: { reason: FailureReason };
  sign_on_failed: { reason: SignOnFailure };
}
export type DetailOf<C extends ErrorCode> = C extends keyof ErrorDetails ? ErrorDetails[C] : undefined;
