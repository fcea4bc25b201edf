/** Schemas of `detail` by error code. They correspond to the type `ErrorDetails`. */
import type { TSchema } from "typebox";
import { type ErrorDetails, failureReasons, signOnFailures } from "./errors.ts";
import { count } from "./formats.ts";
import { extractionExtensions, limits } from "./limits.ts";
import { choice, component } from "./schema.ts";
import { QualityLost } from "./scores.ts";
import Type from "./type.ts";

export const IssueSchema = component(
  "Issue",
  Type.Object(
    {
      path: Type.String({
        description: "Location as a JSON pointer; empty for the whole body.",
        examples: ["/params/0/name"],
      }),
      message: Type.String({ description: "The problem in words.", examples: ["is required"] }),
    },
    { description: "One problem of a request." },
  ),
);

const issues = Type.Object({ issues: Type.Array(IssueSchema, { maxItems: limits.maxIssues }) });
const reason = Type.Object({
  reason: choice(failureReasons, {
    description:
      "`encrypted`: a password is needed; `corrupt`: the content does not match the file type or is damaged; `empty`: there is nothing to read; " +
      "`too_complex`: it needs more memory or pages than allowed; `timeout`: it took too long; `model`: the language model failed.",
  }),
});

/** Codes whose `detail` may be absent. */
export const withOptionalDetail: ReadonlySet<string> = new Set<keyof ErrorDetails>(["conflict"]);

export const errorDetails: { readonly [Code in keyof ErrorDetails]: TSchema } = {
  invalid_request: issues,
  invalid_config: issues,
  quota_exceeded: Type.Object({ limit: count("Limit of the plan."), current: count("Current value.") }),
  file_too_large: Type.Object({
    limit: count("Maximum size in bytes."),
    size: count("Size of the file in bytes, or the part of it that was received."),
  }),
  unsupported_file_type: Type.Object({
    supported: Type.Array(Type.String(), {
      description: "The accepted extensions.",
      examples: [extractionExtensions],
    }),
  }),
  document_already_exists: Type.Object({
    document_reference: Type.String({ format: "uuid", description: "The existing document." }),
  }),
  quality_lost: QualityLost,
  conflict: Type.Object(
    {
      reference: Type.String({
        description: "Id of the object created by the first request with this idempotency key.",
      }),
    },
    { description: "Present only if the response to the first request contained a secret, which is shown once." },
  ),
  extraction_failed: reason,
  classification_failed: reason,
  sign_on_failed: Type.Object({
    reason: choice(signOnFailures, {
      description:
        "`expired`: the sign-in took too long, was already used, or was started in another browser; `refused_by_provider`: the provider reported an " +
        "error; `invalid_response`: its response is not valid; `unverified_address`: it has not verified the email address; " +
        "`foreign_domain`: the domain of the address does not belong to the organization; `another_account`: the address belongs to a " +
        "member who signs in with another account of the provider; `no_member`: the member was disabled or removed.",
    }),
  }),
};
