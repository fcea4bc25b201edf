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

/** Limits of a plan as options give them: a whole number, or `none`. */
export type LimitOptions = Partial<Record<"agents" | "documents" | "uploadMb" | "includedTokens", string>>;

/** Changes the limits that are given and prints all of them. */
export const limitOrganization = (key: string, options: LimitOptions): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const changes = {
      max_agents: limitOf(options.agents),
      max_documents_per_agent: limitOf(options.documents),
      max_upload_mb: limitOf(options.uploadMb),
      included_api_tokens: limitOf(options.includedTokens),
    };
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const plan = await organizations.changePlan(db, key, given, { operator: "cli" });
    for (const [name, value] of Object.entries(plan)) console.log(`${name}  ${value ?? "none"}`);
  });

function limitOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new Error(`A limit is a whole number or none, not ${JSON.stringify(text)}.`);
  return value;
}
