/** SQL queries for extractions. */
import type { Insertable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

export async function insertExtraction(db: Db, extraction: Insertable<Tables["extractions"]>): Promise<void> {
  await db.insertInto("extractions").values(extraction).execute();
}
