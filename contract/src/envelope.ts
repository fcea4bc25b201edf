/** The success envelope and the error envelope. */
import type { TLiteral, TObject, TSchema } from "typebox";
import { errorDetails, withOptionalDetail } from "./error-details.ts";
import { type ErrorCode, errors } from "./errors.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

/**
 * Schema of the success envelope: `{status: "success", data}`, with `metadata` if the endpoint has
 * any.
 */
export function success<Data extends TSchema>(data: Data): TObject<{ status: TLiteral<"success">; data: Data }>;
export function success<Data extends TSchema, Metadata extends TSchema>(
  data: Data,
  metadata: Metadata,
): TObject<{ status: TLiteral<"success">; data: Data; metadata: Metadata }>;
export function success(data: TSchema, metadata?: TSchema): TSchema {
  const status = Type.Literal("success");
  return Type.Object(metadata === undefined ? { status, data } : { status, data, metadata });
}

/**
 * Schema of the error envelope of one code: `{status: "error", code, error}`, with `detail` if the
 * code has any. It is a named component, such as `AgentNotFoundError` for `agent_not_found`.
 */
export function errorEnvelope(code: ErrorCode): TSchema {
  const details: Partial<Record<ErrorCode, TSchema>> = errorDetails;
  const detail = details[code];
  return component(
    componentName(code),
    Type.Object({
      status: Type.Literal("error"),
      code: Type.Literal(code),
      error: Type.String({
        description: "Message for people; it may change at any time.",
        examples: [errors[code].message],
      }),
      ...(detail === undefined ? {} : { detail: withOptionalDetail.has(code) ? Type.Optional(detail) : detail }),
    }),
  );
}

function componentName(code: ErrorCode): string {
  const words = code.replace(/_error$/, "").split("_");
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Error`;
}
