/**
 * Email domains of organizations. Only the operator assigns them, because an organization that
 * could claim any domain could sign in as users of another organization.
 */
import { domainToASCII } from "node:url";
import { now } from "../../lib/clock.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as repo from "./sign-on.repo.ts";

const isDomain = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** @throws Error if the text is not a domain, or the domain already belongs to an organization */
export async function addDomain(db: Db, organizationId: string, text: string): Promise<string> {
  const domain = domainOf(text);
  await db.transaction().execute(async (transaction) => {
    if (!(await repo.insertDomain(transaction, { domain, organization_id: organizationId, created_at: now() }))) {
      const owner = await repo.findOwner(transaction, domain);
      throw new Error(
        owner === organizationId
          ? `The organization already has the domain ${domain}.`
          : `The domain ${domain} belongs to the organization ${owner}.`,
      );
    }
    const entry = { organizationId, action: "domain.added", target: organizationId, detail: { domain } };
    await recordAudit(transaction, { operator: "cli" }, entry);
  });
  return domain;
}

/** @throws Error if the organization does not have the domain */
export async function removeDomain(db: Db, organizationId: string, text: string): Promise<string> {
  const domain = domainOf(text);
  await db.transaction().execute(async (transaction) => {
    if (!(await repo.deleteDomain(transaction, organizationId, domain)))
      throw new Error(`The organization does not have the domain ${domain}.`);
    const entry = { organizationId, action: "domain.removed", target: organizationId, detail: { domain } };
    await recordAudit(transaction, { operator: "cli" }, entry);
  });
  return domain;
}

export const listDomains = repo.listDomains;

/** Returns whether the domain of an email address belongs to the organization. */
export const isOwnAddress = async (db: Db, organizationId: string, address: string): Promise<boolean> =>
  (await repo.findOwner(db, address.slice(address.lastIndexOf("@") + 1))) === organizationId;

function domainOf(text: string): string {
  const domain = domainToASCII(text.trim()).toLowerCase();
  if (!isDomain.test(domain)) throw new Error(`${text} is not a domain.`);
  return domain;
}
