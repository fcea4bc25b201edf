/** Plans: named limits that the operator sets, assigns to organizations, and sells as subscriptions. */
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

/** No upper case, so that no two differ by it alone; neither `:` nor `,`, which part the entries of a setting. */
const namePattern = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}_.-]{0,199}$/u;
/** What commands call the absence of a plan. */
export const noPlan = "none";

/** Makes a plan, unlimited but for what is given, or changes what is given of one. What is there already stays, even above a limit. */
export async function setPlan(db: Db, actor: AuditActor, name: string, changes: Partial<Limits>): Promise<Plan> {
  if (!namePattern.test(name) || name === noPlan)
    throw new Error("The name of a plan has lower-case letters, digits, hyphens, dots and underscores.");
  return db.transaction().execute(async (transaction) => {
    const isNew = await plans.insertPlan(transaction, name, changes, now());
    if (!isNew) await plans.updatePlan(transaction, name, changes, now());
    const action = isNew ? "plan.created" : "plan.changed";
    await recordAudit(transaction, actor, { action, target: name, detail: { ...changes } });
    return getPlan(transaction, name);
  });
}

/** @throws Error where there is none, or it is in use. */
export async function deletePlan(db: Db, actor: AuditActor, name: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (await plans.isUsed(transaction, name)) throw new Error(`The plan ${name} is in use.`);
    if (!(await plans.deletePlan(transaction, name))) throw noSuchPlan(name);
    await recordAudit(transaction, actor, { action: "plan.deleted", target: name });
  });
}

/** The plan of organizations that neither the operator nor a subscription gives one; null: such are unlimited. @throws Error */
export async function setDefaultPlan(db: Db, actor: AuditActor, name: string | null): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (name !== null) await getPlan(transaction, name);
    await plans.updateDefault(transaction, name, now());
    await recordAudit(transaction, actor, { action: "plan.made_default", target: name });
  });
}

/**
 * Gives an organization a plan, whatever its subscription would give; with null its subscription, or the default, decides.
 * @throws AppError `organization_not_found`; Error where there is no such plan.
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

const noSuchPlan = (name: string) => new Error(`There is no plan ${name}: sheaf plan set ${name}`);

/** The limits of an organization, with the plan that they are of (null: none, all is unlimited) and why it is this one. */
export interface HeldLimits extends Limits {
  name: string | null;
  origin: "assigned" | "subscribed" | "default";
}

/** As they are at this moment. @throws AppError `organization_not_found`. */
export async function getLimits(db: Db, { organizationId }: Pick<Caller, "organizationId">): Promise<HeldLimits> {
  const held = await plans.findHeldPlan(db, organizationId);
  if (held === undefined) throw new AppError("organization_not_found");
  const { assigned, granted, ...limits } = held;
  return { ...limits, origin: assigned !== null ? "assigned" : granted !== null ? "subscribed" : "default" };
}

/**
 * The same, with the organization locked until the transaction ends: of those who count and then insert, one does so at a time.
 * @throws AppError `organization_not_found`.
 */
export async function lockLimits(transaction: Db, tenant: Pick<Caller, "organizationId">): Promise<HeldLimits> {
  if (!(await plans.lockOrganization(transaction, tenant.organizationId))) throw new AppError("organization_not_found");
  return getLimits(transaction, tenant);
}
