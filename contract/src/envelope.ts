/** The envelope around every success, and the one around every error. */
import Type, { type TLiteral, type TObject, type TSchema } from "typebox";
import { component } from "./schema.ts";

/** `{status: "success", data}`, with `metadata` where the endpoint has any. */
export function success<Data extends TSchema>(data: Data): TObject<{ status: TLiteral<"success">; data: Data }>;
export function success<Data extends TSchema, Metadata extends TSchema>(
  data: Data,
  metadata: Metadata,
): TObject<{ status: TLiteral<"success">; data: Data; metadata: Metadata }>;
export function success(data: TSchema, metadata?: TSchema): TSchema {
  const status = Type.Literal("success");
  return Type.Object(metadata === undefined ? { status, data } : { status, data, metadata });
}

/** Every error: a stable `code` for machines, a message for people, `detail` for some codes. */
export const ErrorEnvelope = component(
  "Error",
  Type.Object(
    {
      status: Type.Literal("error"),
      code: Type.String({ description: "Stable identifier of the kind of error.", examples: ["agent_not_found"] }),
      error: Type.String({ description: "Message for people; may change at any time." }),
      detail: Type.Optional(Type.Object({}, { description: "What the code promises; most codes have none." })),
    },
    { description: "The envelope of every error." },
  ),
);
