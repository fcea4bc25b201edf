/** `sheaf organization`. */
import * as organizations from "../features/organizations/organizations.service.ts";
import { withInstallation } from "./with-installation.ts";

export const createOrganization = (name: string, options: { email: string; administrator: string }): Promise<void> =>
  withInstallation(async ({ records }) => {
    const administrator = { name: options.administrator, email: options.email };
    const { id, slug } = await organizations.createOrganization(
      records.db,
      { name, administrator },
      { operator: "cli" },
    );
    console.log(`${id}  ${slug}`);
  });

export const listOrganizations = (): Promise<void> =>
  withInstallation(async ({ records }) => {
    for (const { id, slug, name } of await organizations.listOrganizations(records.db))
      console.log(`${id}  ${slug}  ${name}`);
  });
