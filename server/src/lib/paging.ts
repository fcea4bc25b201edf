/**
 * Divides lists into pages. A page starts after the key of the last item of the previous page, so
 * that inserting or deleting items does not shift pages.
 */
import { limits } from "@sheaf/contract/limits.ts";
import { AppError } from "./errors.ts";

/** Sort key of a list item. The id makes the key unique. */
export type Key = readonly [order: string, id: string];

export interface PageRequest {
  /** Maximum number of items per page; undefined for all items. */
  limit?: number;
  after?: Key;
}

export interface ListPage<Item> {
  items: Item[];
  /** Null on the last page; undefined if the caller did not ask for pages. */
  nextCursor: string | null | undefined;
}

type QueryParameters = Record<string, string | string[] | undefined>;

/** @throws AppError `invalid_request`. */
export function pageRequest({ limit, cursor }: QueryParameters): PageRequest {
  return {
    ...(limit !== undefined && { limit: limitOf(limit) }),
    ...(cursor !== undefined && { after: keyOf(cursor) }),
  };
}

function limitOf(text: string | string[]): number {
  const limit = Number(text);
  if (typeof text === "string" && /^\d{1,6}$/.test(text) && limit >= 1 && limit <= limits.maxPageSize) return limit;
  throw refusal("/limit", `must be a whole number from 1 to ${limits.maxPageSize}`);
}

function keyOf(cursor: string | string[]): Key {
  if (typeof cursor === "string" && cursor.length <= limits.cursorMaxLength) {
    const [order, id, ...more] = Buffer.from(cursor, "base64url").toString("utf8").split("\n");
    const isTime = order !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(order);
    if (isTime && id !== undefined && /^[\w.-]{1,64}$/.test(id) && more.length === 0) return [order, id];
  }
  throw refusal("/cursor", "must be the next_cursor of a response");
}

const refusal = (path: string, message: string) => new AppError("invalid_request", { issues: [{ path, message }] });

/** Returns a page. `rows` must have been queried with one row more than `limit`. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit, after }: PageRequest,
  keyOfRow: (row: Row) => Key,
  itemOf: (row: Row) => Item,
): ListPage<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = shown.length < rows.length && last !== undefined;
  const nextCursor = more ? Buffer.from(keyOfRow(last).join("\n")).toString("base64url") : null;
  const isPaged = limit !== undefined || after !== undefined;
  return { items: shown.map(itemOf), nextCursor: isPaged ? nextCursor : undefined };
}

/** Returns the reply of a list endpoint. */
export const pageReply = <Item>({ items, nextCursor }: ListPage<Item>) => ({
  body: {
    status: "success" as const,
    data: items,
    ...(nextCursor !== undefined && { metadata: { next_cursor: nextCursor } }),
  },
});
