/** The command line. No other code exits the process. */
import { Command, CommanderError } from "commander";
import type { AuditOptions } from "./commands/audit.ts";
import type { LimitOptions } from "./commands/plan.ts";
import type { WatchOptions } from "./commands/watch.ts";
import { ConfigError } from "./config.ts";
import { version } from "./lib/version.ts";

/** Exit codes besides 0 and 1, as in `sysexits.h`. */
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
  .option("--role <role>", "all, api or worker, instead of SHEAF_ROLE")
  .action(async (options: { role?: string }) => (await import("./commands/serve.ts")).serve(options));

program
  .command("extract")
  .description("Extract data from files and print it as JSON, one line per file. Needs no service.")
  .argument("<files...>", "pdf, docx, xlsx, jpg, png or heic files")
  .requiredOption(
    "--params <file>",
    "JSON file with the fields to extract: an array of {name, format, description, items?}",
  )
  .option("--evidence", "add page, boxes and quote of every value", false)
  .action(async (files: string[], options: { params: string; evidence: boolean }) =>
    (await import("./commands/extract.ts")).extract(files, options),
  );

program
  .command("templates")
  .argument("[name]", "name of a template, such as invoice")
  .option("--lang <language>", "language of titles and descriptions: en, de, fr or es", "en")
  .description("List the templates, or print the fields of one as JSON, for the option --params of extract.")
  .action(async (name: string | undefined, options: { lang: string }) =>
    (await import("./commands/templates.ts")).printTemplates(name, options),
  );

program
  .command("evaluate")
  .description("Compare two schemas on a folder of files whose right values are known, and print the scores as JSON.")
  .argument("<folder>", "folder of files, each with a JSON file of the same name that contains the right values")
  .requiredOption("--params <file>", "JSON file with the proposed fields")
  .option("--against <file>", "JSON file with the current fields; exits with code 1 if a field becomes worse")
  .action(async (folder: string, options: { params: string; against?: string }) =>
    (await import("./commands/evaluate.ts")).evaluate(folder, options),
  );

program
  .command("infer")
  .argument("<files...>", "pdf, docx, xlsx, jpg, png or heic files of one document kind")
  .option("--lang <language>", "language of descriptions that come from a template: en, de, fr or es", "en")
  .option("--params", "print only the fields, for the option --params of extract", false)
  .description("Propose fields from sample files and print them as JSON, with their values. Needs no service.")
  .action(async (files: string[], options: { lang: string; params: boolean }) =>
    (await import("./commands/infer.ts")).infer(files, options),
  );

program
  .command("classify")
  .description("Split files into documents and classify them; print JSON, one line per file. Needs no service.")
  .argument("<files...>", "pdf, docx, xlsx, jpg, png or heic files")
  .option("--classes <file>", "JSON file with the classes to choose from: an array of {label, description?}")
  .option("--mode <mode>", "auto (detect document boundaries), page or document", "auto")
  .action(async (files: string[], options: { classes?: string; mode: string }) =>
    (await import("./commands/classify.ts")).classify(files, options),
  );

program
  .command("read")
  .description("Show how the service reads a file: its text, the whole Document, or an image of a page.")
  .argument("<file>", "a pdf, docx, xlsx, jpg, png or heic file")
  .option("--text", "print the text, pages separated by form feeds (the default)", true)
  .option("--json", "print the Document: pages of words with boxes, lines, blocks and tables", false)
  .option("--boxes <out.png>", "draw words, blocks and tables over the page and save the image")
  .option("--page <number>", "number of the page to draw", "1")
  .action(async (file: string, options: { json: boolean; boxes?: string; page: string }) =>
    (await import("./commands/read.ts")).read(file, options),
  );

const organization = program.command("organization").description("Manage organizations.");
organization
  .command("create")
  .argument("<name>")
  .requiredOption("--email <address>", "e-mail address of its administrator")
  .option("--administrator <name>", "name of its administrator", "Administrator")
  .description("Create an organization with its first administrator and print its id.")
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
  .description("Switch the API of an organization on or off. If off, its tokens are refused from the next request on.")
  .action(async (key: string, state: string) => (await import("./commands/organization.ts")).switchApi(key, state));
organization
  .command("domain")
  .argument("<action>", "add, remove or list")
  .argument("<organization>", "id or short name")
  .argument("[domain]", "email domain, as in example.com")
  .description(
    "Manage the email domains of an organization. Its provider may sign in the users of these domains, so add only domains that are its own.",
  )
  .action(async (action: string, key: string, domain: string | undefined) =>
    (await import("./commands/organization.ts")).changeDomain(action, key, domain),
  );
organization
  .command("sign-on")
  .argument("<organization>", "id or short name")
  .argument("<state>", "off")
  .description("Turn the sign-on of an organization off, so that its members sign in with passwords again.")
  .action(async (key: string, state: string) => (await import("./commands/organization.ts")).switchSignOn(key, state));
organization
  .command("scim-token")
  .argument("<action>", "create, revoke or list")
  .argument("<organization>", "id or short name")
  .argument("[token]", "name of the new token, or id of the one to revoke")
  .description(
    "Manage the tokens with which the identity provider of an organization provisions its members. A new token is printed once.",
  )
  .action(async (action: string, key: string, token: string | undefined) =>
    (await import("./commands/organization.ts")).changeScimToken(action, key, token),
  );
organization
  .command("subscription")
  .argument("<organization>", "id or short name")
  .option("--customer <id>", "link the organization to this Stripe customer, as in cus_NffrFeUfNV2Hib")
  .description("Show the plan of an organization, where it comes from, and its subscriptions.")
  .action(async (key: string, options: { customer?: string }) =>
    (await import("./commands/subscription.ts")).subscription(key, options),
  );

const user = program.command("user").description("Manage users of the web application.");
user
  .command("invite")
  .argument("<organization>", "id or short name")
  .argument("<email>")
  .option("--role <role>", "administrator or member", "member")
  .description("Invite a user to an organization and print the token that accepts the invitation.")
  .action(async (key: string, email: string, options: { role: string }) =>
    (await import("./commands/user.ts")).invite(key, email, options),
  );
user
  .command("password")
  .argument("<email>")
  .option("--stdin", "read the password from standard input instead of generating one", false)
  .description("Set the password of a user and print it. Ends all their sessions.")
  .action(async (email: string, options: { stdin: boolean }) =>
    (await import("./commands/user.ts")).setPassword(email, options),
  );
user
  .command("email")
  .argument("<email>")
  .argument("<new-email>")
  .description("Change the e-mail address that a user signs in with.")
  .action(async (email: string, wanted: string) => (await import("./commands/user.ts")).setEmail(email, wanted));
user
  .command("second-factor")
  .argument("<state>", "off")
  .argument("<email>")
  .description("Turn off the second factor of a user who has lost it, and delete their passkeys.")
  .action(async (state: string, email: string) => (await import("./commands/user.ts")).setSecondFactor(state, email));

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
    "Assign a plan to an organization, which then takes precedence over its subscription. With none, the plan of the subscription applies, or the default plan if there is no subscription.",
  )
  .action(async (key: string, name: string) => (await import("./commands/plan.ts")).assignPlan(key, name));
plan
  .command("default")
  .argument("<plan>", "name of a plan, or none")
  .description("Make a plan the default for organizations without an assigned plan or a subscription to one.")
  .action(async (name: string) => (await import("./commands/plan.ts")).setDefaultPlan(name));
plan
  .command("delete")
  .argument("<name>")
  .description("Delete a plan that no organization has.")
  .action(async (name: string) => (await import("./commands/plan.ts")).deletePlan(name));

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
  .option("--revoke", "refuse the tokens of all earlier keys within seconds, for instance if a key has leaked", false)
  .description(
    "Create a new signing key. The service may be running. Tokens of earlier keys stay valid until they expire, unless these keys are revoked.",
  )
  .action(async (options: { revoke: boolean }) => (await import("./commands/keys.ts")).rotateKeys(options));
keys
  .command("list")
  .description("List the signing keys: key id, state, creation time, and end of the state.")
  .action(async () => (await import("./commands/keys.ts")).listKeys());

program
  .command("ingest")
  .argument("<folder>")
  .requiredOption("--agent <reference>", "reference of the documentalist agent")
  .description(
    "Add the documents of a folder and its subfolders to a corpus and wait until they are ingested. Skips documents with the same path and name: run it again to continue. Works with or without a running service.",
  )
  .action(async (folder: string, options: { agent: string }) =>
    (await import("./commands/ingest.ts")).ingest(folder, options.agent),
  );

program
  .command("watch")
  .argument("<folder>")
  .requiredOption("--agent <reference>", "reference of the extractor agent, or with --corpus of the documentalist")
  .option("--corpus", "upload the files to the corpus of the agent instead of extracting from them", false)
  .option("--evidence", "add page, boxes and quote of every value to the results", false)
  .option("--done <folder>", "folder of processed files and their results; default: done in the watched folder")
  .option("--failed <folder>", "folder of files that failed; default: failed in the watched folder")
  .option("--url <url>", "URL of the service; its credential is in SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET")
  .description(
    "Send each new file of a folder to a running service, store the result as NAME.json, and move the file. Runs until it is stopped, and can be killed and started again at any time. The URL may also be in SHEAF_URL, a token in SHEAF_TOKEN.",
  )
  .action(async (folder: string, options: WatchOptions) =>
    (await import("./commands/watch.ts")).watch(folder, options),
  );

program
  .command("ask")
  .argument("<agent>", "reference of a documentalist agent")
  .argument("<question>")
  .option("--json", "print answer and citations as JSON", false)
  .description("Ask a question about a corpus and print the answer with its sources. Nothing is recorded.")
  .action(async (agent: string, question: string, options: { json: boolean }) =>
    (await import("./commands/ask.ts")).ask(agent, question, options),
  );

program
  .command("mcp")
  .option(
    "--url <url>",
    "serve the tools of a running service; its credential is in SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET",
  )
  .option("--organization <organization>", "id or short name; needed if the installation has several")
  .description(
    "Serve the tools of the Model Context Protocol over standard input and output, for an agent that starts this command. Without --url or SHEAF_URL it uses the local installation, even while a service is running.",
  )
  .action(async (options: { url?: string; organization?: string }) =>
    (await import("./commands/mcp.ts")).serveMcp(options),
  );

program
  .command("reindex")
  .option("--agent <reference>", "rebuild only the index of this agent")
  .description("Rebuild the search index from the stored Documents. The service may keep running.")
  .action(async (options: { agent?: string }) => (await import("./commands/reindex.ts")).reindex(options.agent));

program
  .command("deliveries")
  .argument("<organization>", "id or short name")
  .option("--limit <number>", "number of deliveries, latest first", "20")
  .option("--json", "print them as JSON", false)
  .description("List the webhook and callback deliveries of an organization in the last 30 days, with every attempt.")
  .action(async (organization: string, options: { limit: string; json: boolean }) =>
    (await import("./commands/deliveries.ts")).deliveries(organization, options),
  );

program
  .command("audit")
  .option("--organization <organization>", "id or short name: only entries of this organization")
  .option("--since <time>", "only entries from this time on: an ISO 8601 date or time")
  .option("--action <action>", "only this action, such as credential.revoked")
  .option("--json", "print them as JSON, one line each", false)
  .description("List who changed what, when and from where, newest last.")
  .action(async (options: AuditOptions) => (await import("./commands/audit.ts")).audit(options));

program
  .command("backup")
  .argument("<folder>", "path of a folder that does not exist yet")
  .option("--no-keys", "omit the keys; to restore the backup, they must be provided separately")
  .description("Back up the whole installation: rows, stored files, keys. Works with or without a running service.")
  .action(async (folder: string, options: { keys: boolean }) =>
    (await import("./commands/backup.ts")).backup(folder, options),
  );

program
  .command("restore")
  .argument("<backup>", "the folder of a backup")
  .description(
    "Restore a backup into the configured installation, which must be empty. The kind of database may differ.",
  )
  .action(async (folder: string) => (await import("./commands/restore.ts")).restore(folder));

program
  .command("adopt")
  .description(
    "Declare the configured database, keys and stored files to be one installation, even if they come from different ones. The service must not be running.",
  )
  .action(async () => (await import("./commands/adopt.ts")).adopt());

program
  .command("sweep")
  .option("--yes", "move them to the trash, however many there are", false)
  .option("--put-back", "restore all files from the trash", false)
  .description(
    "Count the stored files without a row in the database, and the files in the trash. The service may be running.",
  )
  .action(async (options: { yes: boolean; putBack: boolean }) => (await import("./commands/sweep.ts")).sweep(options));

program
  .command("migrate-storage")
  .argument("<place>", "s3://bucket/prefix or a folder")
  .description(
    "Copy all stored files to another place while the service is stopped, and make that the place of the installation. Can be interrupted and run again.",
  )
  .action(async (place: string) => (await import("./commands/migrate-storage.ts")).migrateStorage(place));

program
  .command("doctor")
  .description("Check settings, folders, keys, database, documents and the reading of files, and report problems.")
  .action(async () => (await import("./commands/doctor.ts")).doctor());

program
  .command("health")
  .option("--ready", "ask whether it is ready for requests, instead of whether it runs", false)
  .description("Ask the running service for its health; exits with code 1 if it has a problem or does not respond.")
  .action(async (options: { ready: boolean }) => (await import("./commands/health.ts")).health(options));

program
  .command("openapi")
  .description("Print the OpenAPI 3.1 document of the service.")
  .action(async () => (await import("./commands/openapi.ts")).openApi());

// The program that reads the output may exit early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
const code = await run();
// Waits, because output that a pipe has not accepted yet would be lost.
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
