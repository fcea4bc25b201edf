/**
 * Plans: named limits that the operator defines, assigns to organizations, and sells as
 * subscriptions.
 */
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { getOrganization } from "../organizations/organizations.service.ts";
import * as plans from "./plans.repo.ts";

export type Limits = plans.Limits;
export type Plan = plans.PlanRow;
export const listPlans = plans.listPlans;

/**
 * Pattern of plan names. Upper case is not allowed, so that two names never differ only in case.
 * `:` and `,` are not allowed, because they are separators in the setting SHEAF_STRIPE_PRICES.
 */
const namePattern = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}_.-]{0,199}$/u;
/** Means "no plan" in commands, so no plan can have this name. */
export const noPlan = "none";

/**
 * Creates a plan that is unlimited except for the given limits, or changes the given limits of an
 * existing plan. Existing data is kept, even if it exceeds a limit.
 */
export async function setPlan(db: Db, actor: AuditActor, name: string, changes: Partial<Limits>): Promise<Plan> {
  if (!namePattern.test(name) || name === noPlan)
    throw new Error("The name of a plan must consist of lower-case letters, digits, hyphens, dots and underscores.");
  return db.transaction().execute(async (transaction) => {
    const isNew = await plans.insertPlan(transaction, name, changes, now());
    if (!isNew) await plans.updatePlan(transaction, name, changes, now());
    const action = isNew ? "plan.created" : "plan.changed";
    await recordAudit(transaction, actor, { action, target: name, detail: { ...changes } });
    return getPlan(transaction, name);
  });
}

/** @throws Error if there is no such plan, or it is in use */
export async function deletePlan(db: Db, actor: AuditActor, name: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (await plans.isUsed(transaction, name)) throw new Error(`The plan ${name} is in use.`);
    if (!(await plans.deletePlan(transaction, name))) throw noSuchPlan(name);
    await recordAudit(transaction, actor, { action: "plan.deleted", target: name });
  });
}

/**
 * Sets the default plan. It applies to organizations that have no plan from the operator or from a
 * subscription. If `name` is null, these organizations are unlimited.
 * @throws Error
 */
export async function setDefaultPlan(db: Db, actor: AuditActor, name: string | null): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (name !== null) await getPlan(transaction, name);
    await plans.updateDefault(transaction, name, now());
    await recordAudit(transaction, actor, { action: "plan.made_default", target: name });
  });
}

/**
 * Assigns a plan to an organization. The assigned plan takes precedence over the plan of the
 * organization's subscription. If `name` is null, the plan of the subscription applies, or else the
 * default plan.
 * @throws AppError `organization_not_found`; Error if there is no such plan
 */
export async function assignPlan(db: Db, actor: AuditActor, organization: string, name: string | null): Promise<void> {
  const { id } = await getOrganization(db, organization);
  await db.transaction().execute(async (transaction) => {
    if (name !== null) await getPlan(transaction, name);
    await plans.assignPlan(transaction, id, name, now());
    await recordAudit(transaction, actor, { organizationId: id, action: "plan.assigned", target: name });
  });
}

async function getPlan(db: Db, name: string): Promise<Plan> {
  const plan = await plans.findPlan(db, name);
  if (plan === undefined) throw noSuchPlan(name);
  return plan;
}

const noSuchPlan = (name: string) => new Error(`There is no plan ${name}. Create it with: sheaf plan set ${name}`);

/**
 * The limits of an organization, the name of its plan, and where that plan comes from. The name is
 * null if there is no plan; everything is then unlimited.
 */
export interface HeldLimits extends Limits {
  name: string | null;
  origin: "assigned" | "subscribed" | "default";
}

/**
 * Returns the current limits.
 * @throws AppError `organization_not_found`
 */
export async function getLimits(db: Db, { organizationId }: Pick<Caller, "organizationId">): Promise<HeldLimits> {
  const held = await plans.findHeldPlan(db, organizationId);
  if (held === undefined) throw new AppError("organization_not_found");
  const { assigned, granted, ...limits } = held;
  return { ...limits, origin: assigned !== null ? "assigned" : granted !== null ? "subscribed" : "default" };
}

/**
 * Returns the current limits and locks the organization until the transaction ends, so that no
 * other transaction inserts rows between the caller's count and its insert.
 * @throws AppError `organization_not_found`
 */
export async function lockLimits(transaction: Db, tenant: Pick<Caller, "organizationId">): Promise<HeldLimits> {
  if (!(await plans.lockOrganization(transaction, tenant.organizationId))) throw new AppError("organization_not_found");
  return getLimits(transaction, tenant);
}
