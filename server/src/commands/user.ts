/** `sheaf user`: manages users of the web application. */
import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import type { MemberRole } from "@sheaf/contract/sessions.ts";
import { readConfig } from "../config.ts";
import { deleteFirstSignInFile, isFirstSignInOpen } from "../features/identity/first-sign-in.service.ts";
import { resetSecondFactor } from "../features/identity/second-factor.service.ts";
import { changeEmail, resetPassword } from "../features/identity/users.service.ts";
import { createInvitation } from "../features/organizations/invitations.service.ts";
import { getOrganization } from "../features/organizations/organizations.service.ts";
import { withInstallation } from "./with-installation.ts";

/** Sets the password, and prints it if it was generated. */
export const setPassword = (email: string, options: { stdin: boolean }): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const password = options.stdin
      ? (await text(process.stdin)).replace(/\r?\n$/, "")
      : randomBytes(15).toString("base64url");
    await resetPassword(db, email, password);
    if (!(await isFirstSignInOpen(db))) await deleteFirstSignInFile(readConfig().dataDir);
    console.log(options.stdin ? `The password of ${email} is set.` : password);
  });

export const setEmail = (email: string, wanted: string): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    await changeEmail(db, email, wanted);
    console.log(`${email} is ${wanted} now.`);
  });

export const setSecondFactor = (state: string, email: string): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    if (state !== "off") throw new Error("The only allowed state is off: users turn on the second factor themselves.");
    await resetSecondFactor(db, email);
    console.log(`The second factor of ${email} is off.`);
  });

export const invite = (organizationKey: string, email: string, options: { role: string }): Promise<void> =>
  withInstallation(async ({ records: { db }, keys }) => {
    if (options.role !== "administrator" && options.role !== "member")
      throw new Error("--role must be administrator or member.");
    const organization = await getOrganization(db, organizationKey);
    const input: { email: string; role: MemberRole } = { email, role: options.role };
    const { token, expires_at } = await createInvitation({ db, keys }, { operator: "cli" }, organization.id, input);
    console.log(`token    ${token}\nexpires  ${expires_at}`);
  });
