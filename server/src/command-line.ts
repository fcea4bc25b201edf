/** The command line. No other code exits the process. */
import { Command, CommanderError } from "commander";
import type { AuditOptions } from "./commands/audit.ts";
import { addManagementCommands } from "./commands/management-commands.ts";
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

addManagementCommands(program);

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
