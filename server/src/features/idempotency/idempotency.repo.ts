/** SQL of idempotency keys. */
import type { Selectable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

type Row = Selectable<Tables["idempotency_keys"]>;
export type RequestKey = Pick<Row, "organization_id" | "key">;

/** False where the key has been used. */
export async function insertKey(db: Db, row: Omit<Row, "answer">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("idempotency_keys")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organization_id", "key"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export const findKey = (db: Db, { organization_id, key }: RequestKey): Promise<Row | undefined> =>
  db
    .selectFrom("idempotency_keys")
    .selectAll()
    .where("organization_id", "=", organization_id)
    .where("key", "=", key)
    .executeTakeFirst();

export async function updateAnswer(db: Db, { organization_id, key }: RequestKey, answer: string): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set({ answer })
    .where("organization_id", "=", organization_id)
    .where("key", "=", key)
    .execute();
}

/** Only the row that was made at that time: another request may have taken its place. */
export async function deleteKey(
  db: Db,
  { organization_id, key, created_at }: RequestKey & Pick<Row, "created_at">,
): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("organization_id", "=", organization_id)
    .where("key", "=", key)
    .where("created_at", "=", created_at)
    .execute();
}

/** Of every organization. */
export async function deleteBefore(db: Db, time: string): Promise<void> {
  await db.deleteFrom("idempotency_keys").where("created_at", "<", time).execute();
}

/** Of every organization: those from before a time whose answer has not come. */
export async function deleteUnanswered(db: Db, time: string): Promise<void> {
  await db.deleteFrom("idempotency_keys").where("answer", "is", null).where("created_at", "<", time).execute();
}
