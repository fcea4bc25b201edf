/** `sheaf credential`: manages API credentials. */
import * as credentials from "../features/organizations/credentials.service.ts";
import { getOrganization } from "../features/organizations/organizations.service.ts";
import { withInstallation } from "./with-installation.ts";

export const createCredential = (organizationKey: string, options: { name: string; expires?: string }): Promise<void> =>
  withInstallation(async ({ records: { db }, keys }) => {
    const organization = await getOrganization(db, organizationKey);
    const { clientId, clientSecret } = await db
      .transaction()
      .execute((transaction) =>
        credentials.createCredential(
          { db: transaction, keys },
          organization.id,
          { name: options.name, expires_at: options.expires },
          { operator: "cli" },
        ),
      );
    console.log(`client id      ${clientId}\nclient secret  ${clientSecret}`);
  });

export const listCredentials = (organizationKey: string): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const organization = await getOrganization(db, organizationKey);
    for (const { id, name, created_at, revoked_at, expires_at } of await credentials.listCredentials(
      db,
      organization.id,
    )) {
      console.log(`${id}  ${stateOf(revoked_at, expires_at)}  ${created_at}  ${name}`);
    }
  });

export const revokeCredential = (clientId: string): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    await credentials.revokeCredential(db, clientId, { operator: "cli" });
    console.log(`revoked ${clientId}`);
  });

const stateOf = (revokedAt: string | null, expiresAt: string | null): string => {
  if (revokedAt) return "revoked";
  return expiresAt && expiresAt <= new Date().toISOString() ? "expired" : "active ";
};
