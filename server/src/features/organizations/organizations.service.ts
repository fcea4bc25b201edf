/** Creates organizations, and binds a database to the keys of its installation. */
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { vouchedUser } from "../identity/users.service.ts";
import { createCredential, type NewCredential } from "./credentials.service.ts";
import * as organizations from "./organizations.repo.ts";

export interface NewOrganization {
  name: string;
  administrator: { name: string; email: string };
}

/**
 * Creates an organization with its first administrator. If the operator has vouched for a user with
 * this address, that user becomes the administrator, and their name does not change. Otherwise
 * creates a new user.
 * @throws Error if the name is taken
 */
export async function createOrganization(
  db: Db,
  input: NewOrganization,
  by: AuditActor,
): Promise<{ id: string; slug: string }> {
  const made = await db.transaction().execute((transaction) => insertWithAdministrator(transaction, input, by));
  if (!made) throw new Error(`An organization named "${input.name}", or with a similar name, already exists.`);
  return made;
}

/**
 * Creates an organization, an administrator and a credential at the first start of an installation,
 * in one transaction. Returns undefined at later starts. If several processes start at the same
 * time, only one creates them.
 */
export async function createFirstOrganization(deps: { db: Db; keys: Keys }): Promise<NewCredential | undefined> {
  const existing = await organizations.listOrganizations(deps.db);
  if (existing.length > 0) return undefined;
  return deps.db.transaction().execute(async (transaction) => {
    const by = { operator: "first start" };
    const made = await insertWithAdministrator(transaction, firstOrganization, by);
    return made && createCredential({ db: transaction, keys: deps.keys }, made.id, { name: "first credential" }, by);
  });
}

const firstOrganization: NewOrganization = {
  name: "Default",
  administrator: { name: "Administrator", email: "administrator@sheaf.localhost" },
};

/** Returns undefined if the name is taken. */
async function insertWithAdministrator(
  db: Db,
  input: NewOrganization,
  by: AuditActor,
): Promise<{ id: string; slug: string } | undefined> {
  const name = input.name.trim();
  const slug = slugOf(name);
  if (!slug || name.length > 200)
    throw new Error("The name of an organization must contain letters or digits, and at most 200 characters.");
  const at = now();
  const id = newId();
  if (!(await organizations.insertOrganization(db, { id, name, slug, now: at }))) return undefined;
  const email = input.administrator.email.trim().toLowerCase();
  const userId = await vouchedUser(db, email, input.administrator.name);
  await organizations.insertMember(db, {
    id: newId(),
    organizationId: id,
    userId,
    role: "administrator",
    now: at,
  });
  const detail = { name, administrator: userId };
  await recordAudit(db, by, { organizationId: id, action: "organization.created", target: id, detail });
  return { id, slug };
}

/**
 * Binds the database to the keys.
 * @throws Error if the database was created with other keys. Only those keys can read its secrets
 * and verify its tokens.
 */
export async function bindKeys(db: Db, keys: Keys): Promise<void> {
  await organizations.insertKeyFingerprint(db, keys.fingerprint, now());
  const bound = await organizations.findKeyFingerprint(db);
  if (bound?.key_fingerprint !== keys.fingerprint) {
    throw new Error(
      "The database was created with other keys. Put the right files into the keys folder (SHEAF_KEYS_DIR).",
    );
  }
}

export interface OrganizationPatch {
  name?: string;
  api_enabled?: boolean;
  keep_extractions_days?: number | null;
}

/**
 * Changes name, API access or retention.
 * @throws AppError `organization_not_found`
 */
export async function updateOrganization(
  db: Db,
  by: AuditActor,
  id: string,
  { name, api_enabled, keep_extractions_days }: OrganizationPatch,
): Promise<organizations.OrganizationRow> {
  // Copies only the known members, so that no other member of the request body can reach the row.
  const changes = {
    ...(name !== undefined && { name }),
    ...(api_enabled !== undefined && { api_enabled }),
    ...(keep_extractions_days !== undefined && { keep_extractions_days }),
  };
  return db.transaction().execute(async (transaction) => {
    await organizations.updateOrganization(transaction, id, { ...changes, updated_at: now() });
    const entry = { organizationId: id, action: "organization.changed", target: id, detail: changes };
    await recordAudit(transaction, by, entry);
    return getOrganization(transaction, id);
  });
}

const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

export const { listOrganizations, lockOrganization } = organizations;

/**
 * Finds an organization by id or short name.
 * @throws AppError `organization_not_found`
 */
export async function getOrganization(db: Db, key: string): Promise<organizations.OrganizationRow> {
  const organization = await organizations.findOrganization(db, key);
  if (!organization) throw new AppError("organization_not_found");
  return organization;
}
