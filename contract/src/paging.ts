/** Lists in pages, for those who ask for it; whoever doesn't gets the whole list in the plain envelope. */
import type { TArray, TLiteral, TObject, TOptional, TSchema, TUnion } from "typebox";
import { limits } from "./limits.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

export const pageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.maxPageSize,
      description: "How many at most. Without it, and without a cursor, the whole list comes, and no `metadata`.",
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.cursorMaxLength,
      description: "`metadata.next_cursor` of the page before.",
    }),
  ),
});

export const PageMetadata = component(
  "PageMetadata",
  Type.Object({
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: "Where the next page begins; null at the end.",
    }),
  }),
);

/** The envelope of a list. */
export const list = <Item extends TSchema>(
  item: Item,
): TObject<{
  status: TLiteral<"success">;
  data: TArray<Item>;
  metadata: TOptional<TObject<{ next_cursor: TUnion<[ReturnType<typeof Type.String>, ReturnType<typeof Type.Null>]> }>>;
}> => Type.Object({ status: Type.Literal("success"), data: Type.Array(item), metadata: Type.Optional(PageMetadata) });
