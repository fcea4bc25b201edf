/** SQL of the calls of language models. */
import type { Insertable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

export async function insertCall(db: Db, call: Insertable<Tables["model_calls"]>): Promise<void> {
  await db.insertInto("model_calls").values(call).execute();
}

export async function sumTokens(db: Db, organizationId: string, month: string): Promise<number> {
  const { tokens } = await db
    .selectFrom("model_calls")
    .select(({ fn }) => [
      fn.sum<number | string | null>("input_tokens").as("input"),
      fn.sum<number | string | null>("output_tokens").as("output"),
    ])
    .where("organization_id", "=", organizationId)
    .where("month", "=", month)
    .executeTakeFirstOrThrow()
    .then(({ input, output }) => ({ tokens: Number(input ?? 0) + Number(output ?? 0) }));
  return tokens;
}
