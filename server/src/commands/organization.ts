/** `sheaf organization`: manages organizations. */

import { listAllMembers } from "../features/organizations/members.service.ts";
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

export const listMembers = (key: string): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const organization = await organizations.getOrganization(db, key);
    for (const { id, role, status, email, name } of await listAllMembers(db, organization.id))
      console.log(`${id}  ${role.padEnd(13)}  ${status.padEnd(8)}  ${email}  ${name}`);
  });

export const switchApi = (key: string, state: string): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    if (state !== "on" && state !== "off") throw new Error("The state must be on or off.");
    const { id, slug } = await organizations.getOrganization(db, key);
    await organizations.updateOrganization(db, { operator: "cli" }, id, { api_enabled: state === "on" });
    console.log(`The API of ${slug} is ${state}.`);
  });
