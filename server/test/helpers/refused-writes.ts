/**
 * Makes the database refuse writes to a table. Tests use it to check that changes that belong
 * together are stored completely or not at all.
 */
import { sql } from "kysely";
import type { Db } from "../../src/records/records.ts";
import type { Tables } from "../../src/records/tables.ts";
import type { Dialect } from "./databases.ts";

/** Refuses one kind of write to a table until the returned object is disposed of. */
export async function refuseWrites(
  db: Db,
  dialect: Dialect,
  kind: "insert" | "update" | "delete",
  table: keyof Tables,
): Promise<AsyncDisposable> {
  const name = `refuse_${kind}_${table}`;
  const [make, drop] =
    dialect === "sqlite"
      ? [
          [`create trigger ${name} before ${kind} on ${table} begin select raise(abort, 'refused'); end`],
          [`drop trigger ${name}`],
        ]
      : [
          [
            `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
            `create trigger ${name} before ${kind} on ${table} for each row execute function ${name}()`,
          ],
          [`drop trigger ${name} on ${table}`, `drop function ${name}()`],
        ];
  const execute = async (statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  await execute(make);
  return { [Symbol.asyncDispose]: () => execute(drop) };
}
