/** SQL queries for plans, and for the current plan of each organization. */
import { sql } from "kysely";
import type { Db } from "../../records/records.ts";
import { grantingStatuses } from "./subscriptions.repo.ts";

/** Limits of an organization. Null means unlimited. */
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

/** Inserts a plan. Returns false if a plan with this name already exists. */
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

/** Makes a plan the default. With null, there is no default plan. */
export async function updateDefault(db: Db, name: string | null, now: string): Promise<void> {
  await db.updateTable("plans").set({ is_default: false, updated_at: now }).where("is_default", "=", true).execute();
  if (name === null) return;
  await db.updateTable("plans").set({ is_default: true, updated_at: now }).where("name", "=", name).execute();
}

/** Returns false if there is no such plan. */
export async function deletePlan(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("plans").where("name", "=", name).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns whether any organization or subscription has the plan. */
export async function isUsed(db: Db, name: string): Promise<boolean> {
  const uses = (table: "organizations" | "stripe_subscriptions") =>
    db.selectFrom(table).select("plan").where("plan", "=", name).limit(1).executeTakeFirst();
  return (await uses("organizations")) !== undefined || (await uses("stripe_subscriptions")) !== undefined;
}

export async function assignPlan(db: Db, organizationId: string, name: string | null, now: string): Promise<void> {
  await db.updateTable("organizations").set({ plan: name, updated_at: now }).where("id", "=", organizationId).execute();
}

export interface HeldPlan extends Limits {
  /** Name of the plan that applies. Null if no plan applies; everything is then unlimited. */
  name: string | null;
  /** Plan that the operator has assigned; null if there is none. */
  assigned: string | null;
  /** Plan that a subscription grants; null if there is none. */
  granted: string | null;
}

/**
 * Returns the current plan of an organization: the one assigned by the operator, else that of its
 * subscription, else the default.
 */
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

/**
 * Selects the plan granted by the latest subscription. Ignores subscriptions that grant no plan.
 */
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
 * Locks the organization until the transaction ends, so that no other transaction inserts rows
 * between the caller's count and its insert. Locks the row with an update, because that is the only
 * kind of row lock that both databases support. Returns false if there is no such organization.
 */
export async function lockOrganization(db: Db, organizationId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("organizations")
    .set({ updated_at: sql.ref("updated_at") })
    .where("id", "=", organizationId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
