/**
 * Attack: tampers with backups, so that restoring a backup would read other files, write elsewhere,
 * or never end.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { cp, mkdir, open, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { createZstdCompress } from "node:zlib";
import { readConfig } from "../src/config.ts";
import { createFirstOrganization } from "../src/features/organizations/organizations.service.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import { openInstallation } from "../src/installation.ts";
import { newId } from "../src/lib/ids.ts";
import { openLog } from "../src/lib/log.ts";
import { backUp, restore } from "../test/helpers/backups.ts";
import { type Place, placeOver } from "../test/helpers/killed-service.ts";
import { reportAttack } from "./report.ts";

const canary = "canary-of-the-machine";
/**
 * Maximum duration of a restore, in milliseconds. Restoring the intact backup takes one or two
 * seconds.
 */
const patienceMs = 15_000;

interface Target {
  /** Path of the copy of the backup. */
  copy: string;
  /** Path of a stored file, relative to the copy. */
  stored: string;
  /** Folder outside the backup that contains the file `secret`. */
  outside: string;
}

async function changeManifest(copy: string, change: (manifest: Record<string, unknown>) => void): Promise<void> {
  const path = join(copy, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}

/**
 * Recomputes the hashes of the backup, as an attacker would. `more` contains additional lines, for
 * files whose hashes this function does not compute.
 */
async function seal({ copy }: Target, more: string[] = []): Promise<void> {
  const lines = [...more];
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    const path = relative(copy, join(entry.parentPath, entry.name));
    if (!entry.isFile() || path === "manifest.json" || path === "SHA256SUMS") continue;
    lines.push(`${sha256(await readFile(join(copy, path)))}  ${path}\n`);
  }
  const sums = lines.join("");
  await writeFile(join(copy, "SHA256SUMS"), sums);
  await changeManifest(copy, (manifest) => {
    manifest.sums_sha256 = sha256(sums);
  });
}

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

async function replace(path: string, make: () => Promise<unknown> | unknown): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await make();
}

const pipe = (path: string) => execFileSync("mkfifo", [path]);
const line = (path: string): string => `${sha256(canary)}  ${path}\n`;

async function sparse(path: string, bytes: number): Promise<void> {
  await using file = await open(path, "w");
  await file.truncate(bytes);
}

const table = "tables/organizations.jsonl.zst";

const attacks: Record<string, (target: Target) => Promise<void>> = {
  "a stored file is a link": async (target) => {
    const path = join(target.copy, target.stored);
    await replace(path, () => symlink(join(target.outside, "secret"), path));
    await seal(target, [line(target.stored)]);
  },
  "a folder of stored files is a link": async (target) => {
    const path = join(target.copy, "files", "linked");
    await symlink(target.outside, path);
    await seal(target, [line("files/linked/secret")]);
  },
  "the folder of stored files is a link": async (target) => {
    const path = join(target.copy, "files");
    await replace(path, () => symlink(target.outside, path));
    await seal(target, [line("files/secret")]);
    await changeManifest(target.copy, (manifest) => {
      manifest.files = { count: 1, bytes: canary.length };
    });
  },
  "a key is a link": async (target) => {
    const path = join(target.copy, "keys/signing.key");
    await replace(path, () => symlink(join(target.outside, "secret"), path));
    await seal(target, [line("keys/signing.key")]);
  },
  "the manifest is a link": async ({ copy, outside }) => {
    await rename(join(copy, "manifest.json"), join(outside, "manifest.json"));
    await symlink(join(outside, "manifest.json"), join(copy, "manifest.json"));
  },
  "the hashes are a link": async ({ copy, outside }) => {
    await rename(join(copy, "SHA256SUMS"), join(outside, "SHA256SUMS"));
    await symlink(join(outside, "SHA256SUMS"), join(copy, "SHA256SUMS"));
  },
  "the manifest is a pipe": ({ copy }) => replace(join(copy, "manifest.json"), () => pipe(join(copy, "manifest.json"))),
  "the hashes are a pipe": ({ copy }) => replace(join(copy, "SHA256SUMS"), () => pipe(join(copy, "SHA256SUMS"))),
  "a table is a pipe": ({ copy }) => replace(join(copy, table), () => pipe(join(copy, table))),
  "a stored file is a pipe": ({ copy, stored }) => replace(join(copy, stored), () => pipe(join(copy, stored))),
  "a pipe more": async ({ copy }) => void pipe(join(copy, "files/pipe")),
  "the manifest is a device": ({ copy }) =>
    replace(join(copy, "manifest.json"), () => symlink("/dev/zero", join(copy, "manifest.json"))),
  "a stored file is a device": async (target) => {
    const path = join(target.copy, target.stored);
    // Only root may create a device file.
    const mayMake = process.getuid?.() === 0;
    await replace(path, () => (mayMake ? execFileSync("mknod", [path, "c", "1", "5"]) : symlink("/dev/zero", path)));
    await seal(target, [line(target.stored)]);
  },
  "a stored file is a socket": async ({ copy, stored }) => {
    await rm(join(copy, stored));
    const server = createServer().listen(relative(process.cwd(), join(copy, "s")));
    await new Promise((resolve) => server.once("listening", resolve));
    await rename(join(copy, "s"), join(copy, stored));
    server.unref();
  },
  "the name of a table leads outside": async (target) => {
    await changeManifest(target.copy, (manifest) => {
      manifest.tables = { ...(manifest.tables as object), "../../outside/secret": 1 };
    });
  },
  "a hash is of a file outside": (target) => seal(target, [line("files/../../outside/secret")]),
  "a key has a name that leads elsewhere": async (target) => {
    await mkdir(join(target.copy, "keys/deep"));
    await writeFile(join(target.copy, "keys/deep/signing.key"), "x");
    await seal(target);
  },
  "a stored file of a terabyte": async (target) => {
    await sparse(join(target.copy, target.stored), 2 ** 40);
  },
  "a stored file of a terabyte whose size is declared": async (target) => {
    await sparse(join(target.copy, target.stored), 2 ** 40);
    await changeManifest(target.copy, (manifest) => {
      manifest.files = { count: 1, bytes: 2 ** 40 };
    });
  },
  "sizes that are not valid numbers": async ({ copy }) =>
    changeManifest(copy, (manifest) => {
      manifest.files = { count: -1, bytes: 1e300 };
    }),
  "a manifest of a terabyte": ({ copy }) => sparse(join(copy, "manifest.json"), 2 ** 40),
  "hashes of a terabyte": ({ copy }) => sparse(join(copy, "SHA256SUMS"), 2 ** 40),
  "a table that unpacks to a gigabyte in one row": async (target) => {
    const row = function* () {
      const zeros = Buffer.alloc(2 ** 20, "0");
      for (let i = 0; i < 1024; i++) yield zeros;
    };
    await pipeline(Readable.from(row()), createZstdCompress(), createWriteStream(join(target.copy, table)));
    await seal(target);
  },
  "more rows than declared": (target) =>
    changeManifest(target.copy, (manifest) => {
      manifest.tables = { ...(manifest.tables as Record<string, number>), organizations: 0 };
    }),
};

/**
 * Returns whether the attack succeeded. It failed if the backup was refused and nothing of `secret`
 * was copied.
 */
async function succeeds(copy: string, there: Place): Promise<boolean> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, patienceMs, "late").unref());
  const how = await Promise.race([
    restore(copy, there).then(
      () => "restored",
      () => "refused",
    ),
    late,
  ]);
  if (how !== "refused") return true;
  for (const entry of await readdir(there.data, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name))).includes(canary)) return true;
  return false;
}

test("backups that were tampered with are refused", async (t) => {
  await using here = await placeOver("sqlite");
  {
    const config = readConfig(here.settings);
    await using installation = await openInstallation(config, openLog("silent"), { own: true });
    await createFirstOrganization({ db: installation.records.db, keys: installation.keys });
    const source = join(here.folder, "source");
    await writeFile(source, canary.replaceAll("c", "x"));
    await (await openFolderFiles(config.filesDir)).put(`operations/${newId()}`, source);
    const at = new Date().toISOString();
    const [id = ""] = await readdir(join(config.filesDir, "operations"));
    const { id: organization_id } = await installation.records.db
      .selectFrom("organizations")
      .select("id")
      .executeTakeFirstOrThrow();
    await installation.records.db
      .insertInto("operations")
      .values({
        id,
        organization_id,
        kind: "extraction",
        request: "{}",
        channel: "api",
        status: "started",
        created_at: at,
      })
      .execute();
  }
  const backup = join(here.folder, "backup");
  await backUp(here, backup);
  const [operation = ""] = await readdir(join(backup, "files/operations"));
  const stored = `files/operations/${operation}`;
  const succeeded: string[] = [];
  for (const [name, tamper] of Object.entries(attacks)) {
    await using there = await placeOver("sqlite");
    const [copy, outside] = [join(there.folder, "copy"), join(there.folder, "outside")];
    await cp(backup, copy, { recursive: true });
    await mkdir(outside);
    await writeFile(join(outside, "secret"), canary);
    await tamper({ copy, stored, outside });
    if (await succeeds(copy, there)) succeeded.push(name);
  }
  if (succeeded.length > 0) t.diagnostic(`succeeded: ${succeeded.join("; ")}`);
  reportAttack(t, "tampered backups", { tried: Object.keys(attacks).length, succeeded: succeeded.length });
  // The original backup still restores.
  await using there = await placeOver("sqlite");
  await restore(backup, there);
  assert.deepEqual(await readdir(join(there.data, stored, "..")), [operation]);
});

test("a backup does not follow links out of the folder of stored files", async (t) => {
  await using here = await placeOver("sqlite");
  const config = readConfig(here.settings);
  {
    await using installation = await openInstallation(config, openLog("silent"), { own: true });
    await createFirstOrganization({ db: installation.records.db, keys: installation.keys });
  }
  const outside = join(here.folder, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret.key"), canary);
  await symlink(join(outside, "secret.key"), join(config.filesDir, "linked"));
  await symlink(outside, join(config.filesDir, "folder"));
  execFileSync("mkfifo", [join(config.filesDir, "pipe")]);
  const backup = join(here.folder, "backup");
  await backUp(here, backup);
  await symlink(join(outside, "secret.key"), join(config.keysDir, "more.key"));
  const refused = await backUp(here, `${backup}-2`).then(
    () => false,
    () => true,
  );
  const names = await readdir(join(backup, "files")).catch(() => []);
  reportAttack(t, "links in a backup's sources", { tried: 4, succeeded: names.length + (refused ? 0 : 1) });
});
