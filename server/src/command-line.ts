/** The command line. The only place that ends the process. */
import { Command, CommanderError } from "commander";
import type { AuditOptions } from "./commands/audit.ts";
import type { LimitOptions } from "./commands/plan.ts";
import { ConfigError } from "./config.ts";
import { version } from "./lib/version.ts";

/** Exit codes beside 0 and 1, as `sysexits.h` has them. */
const exitUsage = 64;
const exitConfig = 78;

const program = new Command("sheaf")
  .description("Document intelligence that runs anywhere: reads documents and extracts data from them, with evidence.")
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "sheaf: ")) });

program
  .command("serve")
  .description("Run the service. Settings are environment variables: see docs/reference/configuration.md.")
  .action(async () => (await import("./commands/serve.ts")).serve());

program
  .command("extract")
  .description("Extract data from files and print it as JSON, one line a file. Needs no service.")
  .argument("<files...>", "pdf, docx, xlsx, jpg, png or heic files")
  .requiredOption("--params <file>", "JSON file with the params: an array of {name, format, description, items?}")
  .option("--evidence", "add page, boxes and quote of every value", false)
  .action(async (files: string[], options: { params: string; evidence: boolean }) =>
    (await import("./commands/extract.ts")).extract(files, options),
  );

program
  .command("classify")
  .description(
    "Find the documents that files are made of and the class of each, as JSON, one line a file. Needs no service.",
  )
  .argument("<files...>", "pdf, docx, xlsx, jpg, png or heic files")
  .option("--classes <file>", "JSON file with the classes to choose from: an array of {label, description?}")
  .option("--mode <mode>", "auto (where one document ends and the next begins), page or document", "auto")
  .action(async (files: string[], options: { classes?: string; mode: string }) =>
    (await import("./commands/classify.ts")).classify(files, options),
  );

program
  .command("read")
  .description("Show what the service sees of a file: its text, the whole Document, or a picture of a page.")
  .argument("<file>", "a pdf, docx, xlsx, jpg, png or heic file")
  .option("--text", "print the text, pages parted by form feeds (the default)", true)
  .option("--json", "print the Document: pages of words with boxes, lines, blocks and tables", false)
  .option("--boxes <out.png>", "draw words, blocks and tables over the page into a picture")
  .option("--page <number>", "the page to draw", "1")
  .action(async (file: string, options: { json: boolean; boxes?: string; page: string }) =>
    (await import("./commands/read.ts")).read(file, options),
  );

const organization = program.command("organization").description("Manage organizations.");
organization
  .command("create")
  .argument("<name>")
  .requiredOption("--email <address>", "e-mail address of its administrator")
  .option("--administrator <name>", "name of its administrator", "Administrator")
  .description("Make an organization with its first administrator and print its id.")
  .action(async (name: string, options: { email: string; administrator: string }) =>
    (await import("./commands/organization.ts")).createOrganization(name, options),
  );
organization
  .command("list")
  .description("List the organizations: id, short name, name.")
  .action(async () => (await import("./commands/organization.ts")).listOrganizations());

organization
  .command("members")
  .argument("<organization>", "id or short name")
  .description("List the members: id, role, state, e-mail address, name.")
  .action(async (key: string) => (await import("./commands/organization.ts")).listMembers(key));
organization
  .command("api")
  .argument("<organization>", "id or short name")
  .argument("<state>", "on or off")
  .description("Switch the API of an organization on or off: off, its tokens are refused from the next request on.")
  .action(async (key: string, state: string) => (await import("./commands/organization.ts")).switchApi(key, state));
organization
  .command("subscription")
  .argument("<organization>", "id or short name")
  .option("--customer <id>", "say that it pays as this customer of Stripe, as in cus_NffrFeUfNV2Hib")
  .description("Show which plan an organization has and why, and what is known of its subscriptions.")
  .action(async (key: string, options: { customer?: string }) =>
    (await import("./commands/subscription.ts")).subscription(key, options),
  );

const user = program.command("user").description("Manage users of the web application.");
user
  .command("invite")
  .argument("<organization>", "id or short name")
  .argument("<email>")
  .option("--role <role>", "administrator or member", "member")
  .description("Invite somebody into an organization and print the token that accepts the invitation.")
  .action(async (key: string, email: string, options: { role: string }) =>
    (await import("./commands/user.ts")).invite(key, email, options),
  );
user
  .command("password")
  .argument("<email>")
  .option("--stdin", "read the password from standard input instead of making one", false)
  .description("Set the password of a user and print it. Every session of theirs ends.")
  .action(async (email: string, options: { stdin: boolean }) =>
    (await import("./commands/user.ts")).setPassword(email, options),
  );
user
  .command("email")
  .argument("<email>")
  .argument("<new-email>")
  .description("Change the e-mail address that a user signs in with.")
  .action(async (email: string, wanted: string) => (await import("./commands/user.ts")).setEmail(email, wanted));

const plan = program.command("plan").description("Manage plans: named limits of organizations.");
plan
  .command("set")
  .argument("<name>")
  .option("--max-agents <number>", "agents that an organization may have, or unlimited")
  .option("--max-documents <number>", "documents that each agent may have, or unlimited")
  .option("--max-upload-mb <number>", "size of an uploaded document in MB, or unlimited")
  .option("--included-api-tokens <number>", "tokens a month that are included, or unlimited")
  .description(
    "Make a plan, unlimited but for what is given, or change what is given of one, and print it. It holds from the next request on; what is there already stays.",
  )
  .action(async (name: string, options: LimitOptions) => (await import("./commands/plan.ts")).setPlan(name, options));
plan
  .command("list")
  .description("List the plans with their limits.")
  .action(async () => (await import("./commands/plan.ts")).listPlans());
plan
  .command("assign")
  .argument("<organization>", "id or short name")
  .argument("<plan>", "name of a plan, or none")
  .description(
    "Give an organization a plan, whatever its subscription would give. With none its subscription decides, or else the default plan.",
  )
  .action(async (key: string, name: string) => (await import("./commands/plan.ts")).assignPlan(key, name));
plan
  .command("default")
  .argument("<plan>", "name of a plan, or none")
  .description("Make a plan that of every organization without an assigned one and without a subscription to one.")
  .action(async (name: string) => (await import("./commands/plan.ts")).setDefaultPlan(name));
plan
  .command("delete")
  .argument("<name>")
  .description("Delete a plan that nobody has.")
  .action(async (name: string) => (await import("./commands/plan.ts")).deletePlan(name));

const credential = program.command("credential").description("Manage API credentials.");
credential
  .command("create")
  .argument("<organization>", "id or short name")
  .option("--name <name>", "what the credential is for", "command line")
  .option("--expires <time>", "when it expires: a date or a time as ISO 8601 has it")
  .description("Make a credential of the organization's first administrator and print client id and secret, once.")
  .action(async (key: string, options: { name: string; expires?: string }) =>
    (await import("./commands/credential.ts")).createCredential(key, options),
  );
credential
  .command("list")
  .argument("<organization>", "id or short name")
  .description("List the credentials of an organization: client id, state, time, name.")
  .action(async (key: string) => (await import("./commands/credential.ts")).listCredentials(key));
credential
  .command("revoke")
  .argument("<client-id>")
  .description("Revoke a credential; its tokens are refused from then on.")
  .action(async (clientId: string) => (await import("./commands/credential.ts")).revokeCredential(clientId));

const keys = program.command("keys").description("Manage the keys that sign access tokens.");
keys
  .command("rotate")
  .option("--revoke", "refuse the tokens of all earlier keys within seconds, for a key that has leaked", false)
  .description(
    "Make a new signing key, beside a running service too. Tokens of earlier keys stay valid until they expire, unless these are revoked.",
  )
  .action(async (options: { revoke: boolean }) => (await import("./commands/keys.ts")).rotateKeys(options));
keys
  .command("list")
  .description("List the signing keys: key id, state, time of making, and until when the state lasts.")
  .action(async () => (await import("./commands/keys.ts")).listKeys());

program
  .command("ingest")
  .argument("<folder>")
  .requiredOption("--agent <reference>", "the documentalist agent whose corpus it is")
  .description(
    "Take the documents of a folder and its sub-folders into a corpus and wait until they are ingested. What is there already, by path and name, is left out: run it again to go on. Works beside a running service and without one.",
  )
  .action(async (folder: string, options: { agent: string }) =>
    (await import("./commands/ingest.ts")).ingest(folder, options.agent),
  );

program
  .command("ask")
  .argument("<agent>", "reference of a documentalist agent")
  .argument("<question>")
  .option("--json", "print answer and citations as JSON", false)
  .description("Ask a question of a corpus and print the answer with its sources. Nothing is recorded.")
  .action(async (agent: string, question: string, options: { json: boolean }) =>
    (await import("./commands/ask.ts")).ask(agent, question, options),
  );

program
  .command("reindex")
  .option("--agent <reference>", "only the index of this agent")
  .description("Make the search index anew from what was read of the documents. The service must not run.")
  .action(async (options: { agent?: string }) => (await import("./commands/reindex.ts")).reindex(options.agent));

program
  .command("deliveries")
  .argument("<organization>", "id or short name")
  .option("--limit <number>", "how many, the latest", "20")
  .option("--json", "print them as JSON", false)
  .description(
    "List what was told to the webhooks and callbacks of an organization in the last 30 days, with every attempt.",
  )
  .action(async (organization: string, options: { limit: string; json: boolean }) =>
    (await import("./commands/deliveries.ts")).deliveries(organization, options),
  );

program
  .command("audit")
  .option("--organization <organization>", "id or short name: only what was done in this organization")
  .option("--since <time>", "only from then on: a date or a time as ISO 8601 has it")
  .option("--action <action>", "only this action, such as credential.revoked")
  .option("--json", "print them as JSON, one line each", false)
  .description("List who changed what, when and from where, the newest last.")
  .action(async (options: AuditOptions) => (await import("./commands/audit.ts")).audit(options));

program
  .command("backup")
  .argument("<folder>", "a folder that is not there yet")
  .option("--no-keys", "leave the keys out; without them the backup can't be restored")
  .description(
    "Back up the whole installation: rows, stored files, keys. Works beside a running service and without one.",
  )
  .action(async (folder: string, options: { keys: boolean }) =>
    (await import("./commands/backup.ts")).backup(folder, options),
  );

program
  .command("restore")
  .argument("<backup>", "the folder of a backup")
  .description(
    "Make the installation that the settings name of a backup, over SQLite or PostgreSQL whichever it was. It must be empty.",
  )
  .action(async (folder: string) => (await import("./commands/restore.ts")).restore(folder));

program
  .command("adopt")
  .description(
    "Make the database, the keys and the stored files that the settings name one installation, whatever installation each was of. The service must not run.",
  )
  .action(async () => (await import("./commands/adopt.ts")).adopt());

program
  .command("sweep")
  .option("--yes", "move them to the trash, however many they are", false)
  .option("--put-back", "put every file of the trash back", false)
  .description(
    "Count the stored files that no row in the database knows, and the files in the trash. Works beside a running service.",
  )
  .action(async (options: { yes: boolean; putBack: boolean }) => (await import("./commands/sweep.ts")).sweep(options));

program
  .command("doctor")
  .description("Check settings, folder, keys, database, documents and reading, and say what is wrong.")
  .action(async () => (await import("./commands/doctor.ts")).doctor());

program
  .command("openapi")
  .description("Print the OpenAPI 3.1 document of the service.")
  .action(async () => (await import("./commands/openapi.ts")).openApi());

// Whoever reads the output may leave before its end, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
const code = await run();
// What a pipe has not taken yet would be lost.
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(code);

async function run(): Promise<number> {
  try {
    await program.parseAsync();
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUsage;
    if (error instanceof ConfigError) {
      for (const problem of error.problems) console.error(`sheaf: ${problem}`);
      return exitConfig;
    }
    console.error(`sheaf: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}
