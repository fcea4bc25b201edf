/** `sheaf plan`: manages plans. */
import * as plans from "../features/plans/plans.service.ts";
import { withInstallation } from "./with-installation.ts";

const operator = { operator: "cli" };
const unlimited = "unlimited";

/** Limits as given in options: each is a whole number or `unlimited`. */
export type LimitOptions = Partial<Record<"maxAgents" | "maxDocuments" | "maxUploadMb" | "includedApiTokens", string>>;

export const setPlan = (name: string, options: LimitOptions): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const changes = {
      max_agents: limitOf(options.maxAgents),
      max_documents_per_agent: limitOf(options.maxDocuments),
      max_upload_mb: limitOf(options.maxUploadMb),
      included_api_tokens: limitOf(options.includedApiTokens),
    };
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    print(await plans.setPlan(db, operator, name, given));
  });

export const listPlans = (): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    for (const plan of await plans.listPlans(db)) print(plan);
  });

export const assignPlan = (organization: string, name: string): Promise<void> =>
  withInstallation(({ records: { db } }) => plans.assignPlan(db, operator, organization, planOf(name)));

export const setDefaultPlan = (name: string): Promise<void> =>
  withInstallation(({ records: { db } }) => plans.setDefaultPlan(db, operator, planOf(name)));

export const deletePlan = (name: string): Promise<void> =>
  withInstallation(({ records: { db } }) => plans.deletePlan(db, operator, name));

const planOf = (name: string): string | null => (name === plans.noPlan ? null : name);

function print(plan: plans.Plan): void {
  const limits = [
    ["agents", plan.max_agents],
    ["documents per agent", plan.max_documents_per_agent],
    ["MB per upload", plan.max_upload_mb],
    ["tokens per month included", plan.included_api_tokens],
  ] as const;
  const words = limits.map(([what, limit]) => `${limit ?? unlimited} ${what}`);
  console.log(`${plan.name}${plan.is_default ? " (default)" : ""}: ${words.join(", ")}`);
}

function limitOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === unlimited) return null;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new Error(`A limit must be a whole number or ${unlimited}, not ${JSON.stringify(text)}.`);
  return value;
}
