/** SQL of plans, and of which organization has which. */
import { sql } from "kysely";
import type { Db } from "../../records/records.ts";
import { grantingStatuses } from "./subscriptions.repo.ts";

/** What an organization may have; null is unlimited. */
export interface Limits {
  max_agents: number | null;
  max_documents_per_agent: number | null;
  max_upload_mb: number | null;
  included_api_tokens: number | null;
}

export interface PlanRow extends Limits {
  name: string;
  is_default: boolean | 0 | 1;
}

const limitColumns = ["max_agents", "max_documents_per_agent", "max_upload_mb", "included_api_tokens"] as const;

export const listPlans = (db: Db): Promise<PlanRow[]> =>
  db
    .selectFrom("plans")
    .select(["name", ...limitColumns, "is_default"])
    .orderBy("name")
    .execute();

export const findPlan = (db: Db, name: string): Promise<PlanRow | undefined> =>
  db
    .selectFrom("plans")
    .select(["name", ...limitColumns, "is_default"])
    .where("name", "=", name)
    .executeTakeFirst();

/** False where there is one of that name. */
export async function insertPlan(db: Db, name: string, limits: Partial<Limits>, now: string): Promise<boolean> {
  const result = await db
    .insertInto("plans")
    .values({ name, ...limits, is_default: false, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updatePlan(db: Db, name: string, changes: Partial<Limits>, now: string): Promise<void> {
  await db
    .updateTable("plans")
    .set({ ...changes, updated_at: now })
    .where("name", "=", name)
    .execute();
}

/** Makes it the default, or none where the name is null. */
export async function updateDefault(db: Db, name: string | null, now: string): Promise<void> {
  await db.updateTable("plans").set({ is_default: false, updated_at: now }).where("is_default", "=", true).execute();
  if (name === null) return;
  await db.updateTable("plans").set({ is_default: true, updated_at: now }).where("name", "=", name).execute();
}

/** False where there is none. */
export async function deletePlan(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("plans").where("name", "=", name).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Whether an organization or a subscription has it. */
export async function isUsed(db: Db, name: string): Promise<boolean> {
  const uses = (table: "organizations" | "stripe_subscriptions") =>
    db.selectFrom(table).select("plan").where("plan", "=", name).limit(1).executeTakeFirst();
  return (await uses("organizations")) !== undefined || (await uses("stripe_subscriptions")) !== undefined;
}

export async function assignPlan(db: Db, organizationId: string, name: string | null, now: string): Promise<void> {
  await db.updateTable("organizations").set({ plan: name, updated_at: now }).where("id", "=", organizationId).execute();
}

export interface HeldPlan extends Limits {
  /** Null: none, all is unlimited. */
  name: string | null;
  /** What the operator has assigned, and what a subscription grants; null: nothing. */
  assigned: string | null;
  granted: string | null;
}

/** What an organization has now: what the operator assigned, else what a subscription grants, else the default. */
export const findHeldPlan = (db: Db, organizationId: string): Promise<HeldPlan | undefined> =>
  db
    .selectFrom("organizations as o")
    .leftJoin("plans as p", (join) =>
      join.on((on) => on("p.name", "=", on.fn.coalesce("o.plan", granted(db, organizationId), byDefault(db)))),
    )
    .select(granted(db, organizationId).as("granted"))
    .select(["o.plan as assigned", "p.name", ...limitColumns.map((column) => `p.${column}` as const)])
    .where("o.id", "=", organizationId)
    .executeTakeFirst();

/** The plan of the subscription that was begun last, of those that grant one. */
const granted = (db: Db, organizationId: string) =>
  db
    .selectFrom("stripe_subscriptions as s")
    .innerJoin("stripe_customers as c", "c.id", "s.customer_id")
    .select("s.plan")
    .where("c.organization_id", "=", organizationId)
    .where("s.status", "in", grantingStatuses)
    .where("s.plan", "is not", null)
    .orderBy("s.started_at", "desc")
    .orderBy("s.id", "desc")
    .limit(1);

const byDefault = (db: Db) => db.selectFrom("plans as d").select("d.name").where("d.is_default", "=", true);

/**
 * Locks the organization's row until the transaction ends: whoever counts and inserts under the lock does so alone. An update is the one
 * lock that both databases know. False where there is none.
 */
export async function lockOrganization(db: Db, organizationId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("organizations")
    .set({ updated_at: sql.ref("updated_at") })
    .where("id", "=", organizationId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
