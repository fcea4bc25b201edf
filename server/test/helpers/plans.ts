/** Sets limits for a single organization by assigning it a plan that no other organization has. */
import { assignPlan, type Limits, setPlan } from "../../src/features/plans/plans.service.ts";
import type { TestOrganization, TestService } from "./service.ts";

const operator = { operator: "test" };

export async function limit(
  { db }: Pick<TestService, "db">,
  { id }: Pick<TestOrganization, "id">,
  limits: Partial<Limits>,
): Promise<void> {
  await setPlan(db, operator, id, limits);
  await assignPlan(db, operator, id, id);
}
