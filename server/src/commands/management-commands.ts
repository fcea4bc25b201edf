/** Declares the commands that manage organizations, users, plans, credentials and signing keys. */
import type { Command } from "commander";
import type { LimitOptions } from "./plan.ts";

export function addManagementCommands(program: Command): void {
  addOrganizationCommands(program);
  addUserCommands(program);
  addPlanCommands(program);
  addCredentialCommands(program);
  addKeyCommands(program);
}

function addOrganizationCommands(program: Command): void {
  const organization = program.command("organization").description("Manage organizations.");
  organization
    .command("create")
    .argument("<name>")
    .requiredOption("--email <address>", "e-mail address of its administrator")
    .option("--administrator <name>", "name of its administrator", "Administrator")
    .description("Create an organization with its first administrator and print its id.")
    .action(async (name: string, options: { email: string; administrator: string }) =>
      (await import("./organization.ts")).createOrganization(name, options),
    );
  organization
    .command("list")
    .description("List the organizations: id, short name, name.")
    .action(async () => (await import("./organization.ts")).listOrganizations());

  organization
    .command("members")
    .argument("<organization>", "id or short name")
    .description("List the members: id, role, state, e-mail address, name.")
    .action(async (key: string) => (await import("./organization.ts")).listMembers(key));
  organization
    .command("api")
    .argument("<organization>", "id or short name")
    .argument("<state>", "on or off")
    .description(
      "Switch the API of an organization on or off. If off, its tokens are refused from the next request on.",
    )
    .action(async (key: string, state: string) => (await import("./organization.ts")).switchApi(key, state));
  organization
    .command("domain")
    .argument("<action>", "add, remove or list")
    .argument("<organization>", "id or short name")
    .argument("[domain]", "email domain, as in example.com")
    .description(
      "Manage the email domains of an organization. Its provider may sign in the users of these domains, so add only domains that are its own.",
    )
    .action(async (action: string, key: string, domain: string | undefined) =>
      (await import("./organization.ts")).changeDomain(action, key, domain),
    );
  organization
    .command("sign-on")
    .argument("<organization>", "id or short name")
    .argument("<state>", "off")
    .description("Turn the sign-on of an organization off, so that its members sign in with passwords again.")
    .action(async (key: string, state: string) => (await import("./organization.ts")).switchSignOn(key, state));
  organization
    .command("scim-token")
    .argument("<action>", "create, revoke or list")
    .argument("<organization>", "id or short name")
    .argument("[token]", "name of the new token, or id of the one to revoke")
    .description(
      "Manage the tokens with which the identity provider of an organization provisions its members. A new token is printed once.",
    )
    .action(async (action: string, key: string, token: string | undefined) =>
      (await import("./organization.ts")).changeScimToken(action, key, token),
    );
  organization
    .command("subscription")
    .argument("<organization>", "id or short name")
    .option("--customer <id>", "link the organization to this Stripe customer, as in cus_NffrFeUfNV2Hib")
    .description("Show the plan of an organization, where it comes from, and its subscriptions.")
    .action(async (key: string, options: { customer?: string }) =>
      (await import("./subscription.ts")).subscription(key, options),
    );
}

function addUserCommands(program: Command): void {
  const user = program.command("user").description("Manage users of the web application.");
  user
    .command("invite")
    .argument("<organization>", "id or short name")
    .argument("<email>")
    .option("--role <role>", "administrator or member", "member")
    .description("Invite a user to an organization and print the token that accepts the invitation.")
    .action(async (key: string, email: string, options: { role: string }) =>
      (await import("./user.ts")).invite(key, email, options),
    );
  user
    .command("password")
    .argument("<email>")
    .option("--stdin", "read the password from standard input instead of generating one", false)
    .description("Set the password of a user and print it. Ends all their sessions.")
    .action(async (email: string, options: { stdin: boolean }) =>
      (await import("./user.ts")).setPassword(email, options),
    );
  user
    .command("email")
    .argument("<email>")
    .argument("<new-email>")
    .description("Change the e-mail address that a user signs in with.")
    .action(async (email: string, wanted: string) => (await import("./user.ts")).setEmail(email, wanted));
  user
    .command("second-factor")
    .argument("<state>", "off")
    .argument("<email>")
    .description("Turn off the second factor of a user who has lost it, and delete their passkeys.")
    .action(async (state: string, email: string) => (await import("./user.ts")).setSecondFactor(state, email));
}

function addPlanCommands(program: Command): void {
  const plan = program.command("plan").description("Manage plans: named limits of organizations.");
  plan
    .command("set")
    .argument("<name>")
    .option("--max-agents <number>", "maximum agents of an organization, or unlimited")
    .option("--max-documents <number>", "maximum documents per agent, or unlimited")
    .option("--max-upload-mb <number>", "maximum size of an uploaded document in MB, or unlimited")
    .option("--included-api-tokens <number>", "tokens included per month, or unlimited")
    .description(
      "Create a plan, or change the given limits of an existing one, and print it. New plans are unlimited except for the given limits. Limits apply from the next request on and affect no existing data.",
    )
    .action(async (name: string, options: LimitOptions) => (await import("./plan.ts")).setPlan(name, options));
  plan
    .command("list")
    .description("List the plans with their limits.")
    .action(async () => (await import("./plan.ts")).listPlans());
  plan
    .command("assign")
    .argument("<organization>", "id or short name")
    .argument("<plan>", "name of a plan, or none")
    .description(
      "Assign a plan to an organization, which then takes precedence over its subscription. With none, the plan of the subscription applies, or the default plan if there is no subscription.",
    )
    .action(async (key: string, name: string) => (await import("./plan.ts")).assignPlan(key, name));
  plan
    .command("default")
    .argument("<plan>", "name of a plan, or none")
    .description("Make a plan the default for organizations without an assigned plan or a subscription to one.")
    .action(async (name: string) => (await import("./plan.ts")).setDefaultPlan(name));
  plan
    .command("delete")
    .argument("<name>")
    .description("Delete a plan that no organization has.")
    .action(async (name: string) => (await import("./plan.ts")).deletePlan(name));
}

function addCredentialCommands(program: Command): void {
  const credential = program.command("credential").description("Manage API credentials.");
  credential
    .command("create")
    .argument("<organization>", "id or short name")
    .option("--name <name>", "purpose of the credential", "command line")
    .option("--expires <time>", "time of expiry: an ISO 8601 date or time")
    .description(
      "Create a credential for the organization's first administrator and print its client id and secret, once.",
    )
    .action(async (key: string, options: { name: string; expires?: string }) =>
      (await import("./credential.ts")).createCredential(key, options),
    );
  credential
    .command("list")
    .argument("<organization>", "id or short name")
    .description("List the credentials of an organization: client id, state, time, name.")
    .action(async (key: string) => (await import("./credential.ts")).listCredentials(key));
  credential
    .command("revoke")
    .argument("<client-id>")
    .description("Revoke a credential; its tokens are refused from then on.")
    .action(async (clientId: string) => (await import("./credential.ts")).revokeCredential(clientId));
}

function addKeyCommands(program: Command): void {
  const keys = program.command("keys").description("Manage the keys that sign access tokens.");
  keys
    .command("rotate")
    .option("--revoke", "refuse the tokens of all earlier keys within seconds, for instance if a key has leaked", false)
    .description(
      "Create a new signing key. The service may be running. Tokens of earlier keys stay valid until they expire, unless these keys are revoked.",
    )
    .action(async (options: { revoke: boolean }) => (await import("./keys.ts")).rotateKeys(options));
  keys
    .command("list")
    .description("List the signing keys: key id, state, creation time, and end of the state.")
    .action(async () => (await import("./keys.ts")).listKeys());
}
