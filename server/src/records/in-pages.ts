/** Restricts a query to one page of its rows. */
import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { PageRequest } from "../lib/paging.ts";

/**
 * Orders a query by the columns `order` and `id`, and restricts it to rows after `after`. It
 * returns at most `limit` + 1 rows; the extra row shows that there is a next page.
 */
export function inPages<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  [order, id]: readonly [order: string, id: string],
  { limit, after }: PageRequest,
  direction: "asc" | "desc" = "asc",
): SelectQueryBuilder<Database, Table, Row> {
  const ordered = query.orderBy(sql.ref(order), direction).orderBy(sql.ref(id), direction);
  const isAfter = direction === "asc" ? sql`>` : sql`<`;
  const begun =
    after === undefined
      ? ordered
      : ordered.where(sql<SqlBool>`(${sql.ref(order)}, ${sql.ref(id)}) ${isAfter} (${after[0]}, ${after[1]})`);
  return limit === undefined ? begun : begun.limit(limit + 1);
}
