/** `sheaf organization`: manages organizations. */
import { textProblem } from "@sheaf/contract/formats.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { listAllMembers } from "../features/organizations/members.service.ts";
import * as organizations from "../features/organizations/organizations.service.ts";
import { createScimToken, listScimTokens, revokeScimToken } from "../features/scim/scim-tokens.service.ts";
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

export const changeScimToken = (action: string, key: string, token: string | undefined): Promise<void> =>
  withInstallation(async ({ records: { db }, keys }) => {
    const { id: organizationId } = await organizations.getOrganization(db, key);
    const by = { operator: "cli" };
    if (action === "list") {
      for (const { id, last_used_at, name } of (await listScimTokens({ db }, organizationId)).items)
        console.log(`${id}  ${last_used_at ?? "never used"}  ${name}`);
    } else if (token === undefined) throw new Error("The name or id of the token is missing.");
    else if (action === "create") {
      const made = await createScimToken({ db, keys }, by, { organizationId, name: nameOf(token) });
      console.log(`id     ${made.id}\ntoken  ${made.token}`);
    } else if (action === "revoke") {
      await revokeScimToken({ db }, by, { organizationId, id: token });
      console.log(`revoked ${token}`);
    } else throw new Error("The action must be create, revoke or list.");
  });

function nameOf(text: string): string {
  const problem = text.trim() === "" ? "is empty" : textProblem(text, limits.scimTokenNameMaxLength);
  if (problem !== undefined) throw new Error(`The name ${problem}.`);
  return text;
}
