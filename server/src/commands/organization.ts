/** `sheaf organization`: manages organizations. */

import { listAllMembers } from "../features/organizations/members.service.ts";
import * as organizations from "../features/organizations/organizations.service.ts";
import { addDomain, listDomains, removeDomain } from "../features/sign-on/domains.service.ts";
import { deleteSignOn } from "../features/sign-on/sign-on-settings.service.ts";
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

export const changeDomain = (action: string, key: string, domain: string | undefined): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const { id, slug } = await organizations.getOrganization(db, key);
    if (action === "list") for (const each of await listDomains(db, id)) console.log(each);
    else if (domain === undefined) throw new Error("The domain is missing.");
    else if (action === "add") console.log(`${await addDomain(db, id, domain)} belongs to ${slug} now.`);
    else if (action === "remove")
      console.log(`${await removeDomain(db, id, domain)} does not belong to ${slug} any more.`);
    else throw new Error("The action must be add, remove or list.");
  });

export const switchSignOn = (key: string, state: string): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    if (state !== "off") throw new Error("The state must be off: only administrators can configure sign-on.");
    const { id, slug } = await organizations.getOrganization(db, key);
    await deleteSignOn({ db }, { operator: "cli" }, id);
    console.log(`The sign-on of ${slug} is off.`);
  });
