/**
 * Reports that a result was completed without the language model, although the model was needed.
 */
import type { Static } from "typebox";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

export const fallbackReasons = ["budget", "unavailable", "timeout", "malformed"] as const;

export const Fallback = component(
  "Fallback",
  Type.Object(
    {
      reason: choice(fallbackReasons, {
        description:
          "`budget`: the monthly token budget is used up. `unavailable`: the endpoint could not be reached, failed, or refused access. " +
          "`timeout`: it took too long. `malformed`: its responses could not be used.",
      }),
      fields: Type.Optional(
        Type.Array(Type.String(), {
          description: "Params that are null (lists: empty) because the built-in engine was not sure of their values.",
          examples: [["seller_name"]],
        }),
      ),
    },
    {
      description:
        "Present only if the engine `auto` needed the language model but could not use it. The result then contains only what the " +
        "built-in engine is sure of.",
    },
  ),
);
export type FallbackJson = Static<typeof Fallback>;
