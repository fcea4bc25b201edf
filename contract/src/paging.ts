/** Pages of lists. If no page is requested, the whole list is returned in the plain envelope. */
import type { TArray, TLiteral, TObject, TOptional, TSchema, TUnion } from "typebox";
import { limits } from "./limits.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

export const pageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.maxPageSize,
      description:
        "Maximum number of items. If neither this nor a cursor is given, the whole list is returned, without `metadata`.",
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.cursorMaxLength,
      description: "`metadata.next_cursor` of the previous page, to get the page after it.",
    }),
  ),
});

export const PageMetadata = component(
  "PageMetadata",
  Type.Object({
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: "Cursor of the next page; null on the last page.",
    }),
  }),
);

/** Returns the envelope of a list. */
export const list = <Item extends TSchema>(
  item: Item,
): TObject<{
  status: TLiteral<"success">;
  data: TArray<Item>;
  metadata: TOptional<TObject<{ next_cursor: TUnion<[ReturnType<typeof Type.String>, ReturnType<typeof Type.Null>]> }>>;
}> => Type.Object({ status: Type.Literal("success"), data: Type.Array(item), metadata: Type.Optional(PageMetadata) });
