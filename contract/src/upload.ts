/**
 * Schemas for endpoints that accept a file: members of the request body, and results that are
 * delivered after the response.
 */
import type { Static, TSchema, TString } from "typebox";
import { type ErrorCode, errors } from "./errors.ts";
import { Fallback } from "./fallback.ts";
import { filenameIssues } from "./filename.ts";
import { uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { choice, component, documentedAs, withIssues } from "./schema.ts";
import Type from "./type.ts";

/** File name with extension; checked by `filenameIssues`. */
export const filename = withIssues(
  documentedAs(
    Type.Unsafe<string>({}),
    Type.String({
      minLength: 1,
      maxLength: limits.filenameMaxLength,
      description:
        "Name of the file, with extension; its length is counted after Unicode normalization (NFC). No slashes, backslashes, control characters or " +
        "bidirectional overrides.",
      examples: ["invoice-2026-03.pdf"],
    }),
  ),
  filenameIssues,
);

/** The file as base64. Alphabet and size are checked while it is received. */
export const base64File = documentedAs(
  Type.String(),
  Type.String({
    contentEncoding: "base64",
    minLength: 1,
    examples: ["JVBERi0xLjcKJeLjz9MK"],
    description: "The file in base64: standard alphabet, padded; ASCII white space is allowed.",
  }),
);

/**
 * URL to which a result is posted. The service checks whether the URL is allowed, and checks it
 * again at each connection.
 */
export const callbackUrl = Type.String({
  minLength: 1,
  maxLength: limits.urlMaxLength,
  description: "Public `https://` URL to which the result is posted.",
  examples: ["https://example.com/hooks/sheaf"],
});

export const ResultMetadata = component(
  "ResultMetadata",
  Type.Object({
    filename: Type.String({ description: "Name of the uploaded file.", examples: ["invoice-2026-03.pdf"] }),
    duration: Type.Number({ minimum: 0, description: "Duration in seconds, with milliseconds.", examples: [5.218] }),
    tokens_consumed: Type.Number({
      minimum: 0,
      description: "Language model tokens used; 0 if only the built-in engine was used.",
    }),
    thread_id: uuid("The thread in which the work is recorded."),
    fallback: Type.Optional(Fallback),
  }),
);
export type ResultMetadataJson = Static<typeof ResultMetadata>;

/**
 * `{status: "error", <id>, code, error, detail: {http_status}}`: the outcome of failed asynchronous
 * work.
 */
export function failure<Id extends string>(id: Id, code: ErrorCode) {
  return Type.Object({
    status: Type.Literal("error"),
    ...idField(id),
    code: Type.String({ description: "A code of the error registry.", examples: [code] }),
    error: Type.String({ description: "Message for people; it may change at any time." }),
    detail: Type.Object({
      http_status: Type.Integer({
        description: "HTTP status that a synchronous call would have with this error.",
        examples: [errors[code].status],
      }),
    }),
  });
}

/** `{status: "started", <id>}`: the immediate response to an asynchronous request. */
export function started<Id extends string>(id: Id) {
  return Type.Object({ status: Type.Literal("started"), ...idField(id) });
}

/** `{status: "success", <id>, data, metadata}`: the outcome of successful asynchronous work. */
export function succeeded<Id extends string, Data extends TSchema, Metadata extends TSchema>(
  id: Id,
  data: Data,
  metadata: Metadata,
) {
  return Type.Object({ status: Type.Literal("success"), ...idField(id), data, metadata });
}

/** Schema of the body member `include`, which requests additions to the result. */
export function include<const Values extends readonly string[]>(values: Values, description: string) {
  return Type.Array(choice(values), { maxItems: values.length, description });
}

function idField<Id extends string>(id: Id): Record<Id, TString> {
  return { [id]: uuid("Id of the asynchronous work.") } as Record<Id, TString>;
}
