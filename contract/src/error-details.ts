/** The schemas of `detail`, by error code: what `ErrorDetails` says in types. */
import type { TSchema } from "typebox";
import { type ErrorDetails, failureReasons } from "./errors.ts";
import { count } from "./formats.ts";
import { extractionExtensions, limits } from "./limits.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

export const IssueSchema = component(
  "Issue",
  Type.Object(
    {
      path: Type.String({
        description: "Where, as a JSON pointer; empty for the whole body.",
        examples: ["/params/0/name"],
      }),
      message: Type.String({ description: "What is wrong, in words.", examples: ["is required"] }),
    },
    { description: "One problem of a request." },
  ),
);

const issues = Type.Object({ issues: Type.Array(IssueSchema, { maxItems: limits.maxIssues }) });
const reason = Type.Object({
  reason: choice(failureReasons, {
    description:
      "`encrypted`: it needs a password; `corrupt`: it cannot be read as what it claims to be; `empty`: it holds nothing to read; " +
      "`too_complex`: it needs more memory or pages than allowed; `timeout`: it took too long; `model`: the language model failed.",
  }),
});

/** Codes whose `detail` may be absent. */
export const withOptionalDetail: ReadonlySet<string> = new Set<keyof ErrorDetails>(["conflict"]);

export const errorDetails: { readonly [Code in keyof ErrorDetails]: TSchema } = {
  invalid_request: issues,
  invalid_config: issues,
  quota_exceeded: Type.Object({ limit: count("What the plan allows."), current: count("What there is.") }),
  file_too_large: Type.Object({ limit: count("Bytes allowed."), size: count("Bytes of the file, as far as known.") }),
  unsupported_file_type: Type.Object({
    supported: Type.Array(Type.String(), {
      description: "The extensions that are accepted.",
      examples: [extractionExtensions],
    }),
  }),
  document_already_exists: Type.Object({
    document_reference: Type.String({ format: "uuid", description: "The document that is there." }),
  }),
  conflict: Type.Object(
    { reference: Type.String({ description: "What the first request with this idempotency key made." }) },
    { description: "Only where the answer to the first request held a secret, which is shown once." },
  ),
  extraction_failed: reason,
  classification_failed: reason,
};
