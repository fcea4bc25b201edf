/** `sheaf organization subscription`: shows the plan and subscriptions of an organization. */
import { getLimits } from "../features/plans/plans.service.ts";
import { describeSubscriptions, linkCustomer } from "../features/plans/subscriptions.service.ts";
import { withInstallation } from "./with-installation.ts";

export const subscription = (organization: string, { customer }: { customer?: string }): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    if (customer !== undefined) await linkCustomer(db, { operator: "cli" }, organization, customer);
    const { customers, subscriptions, ...tenant } = await describeSubscriptions(db, organization);
    const { name, origin } = await getLimits(db, tenant);
    console.log(name === null ? "plan          none: unlimited" : `plan          ${name} (${origin})`);
    for (const { id } of customers) console.log(`customer      ${id}`);
    for (const each of subscriptions) {
      const { id, status, billing_cycle, current_period_end: end, price_id, plan } = each;
      const period = [billing_cycle, end && `until ${end}`].filter(Boolean).join(" ");
      console.log(`subscription  ${id}  ${status}  ${period}  ${price_id ?? "no price"}  plan ${plan ?? "unknown"}`);
    }
  });
