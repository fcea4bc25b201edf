/**
 * Verifies that database, keys and stored files belong to the same installation. All three contain
 * its id. A service refuses to start with an empty or wrong database, because every stored file
 * would then count as a stray.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDurableFile, makeDurableFolder, replaceDurableFile } from "../../lib/durable-file.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import {
  getInstallationRow,
  hasOrganizations,
  type InstallationRow,
  nameInstallation,
  recordMarked,
} from "./installation.repo.ts";

export interface MarkedFolders {
  filesDir: string;
  keysDir: string;
}

/** File with the installation id. No name of a stored file or key begins with a dot. */
const markName = ".installation";

/** Thrown if one of the parts belongs to a different installation. */
class ForeignPart extends Error {
  override readonly name = "ForeignPart";
}

/**
 * Checks that the folders belong to the database. In a new installation, or one created by an
 * earlier version, writes the missing marks. The id is stored in the database before a folder is
 * marked, so that a crash never leaves a mark whose id the database does not contain.
 * @throws ForeignPart
 */
export async function claimFolders(db: Db, folders: MarkedFolders): Promise<void> {
  // Read the row before the marks: another starting process writes them in the opposite order.
  const row = await getInstallationRow(db);
  try {
    if (row.installation_id === null) {
      await nameInstallation(db, await chooseId(db, folders));
    } else {
      await claimNamed(db, { ...row, installation_id: row.installation_id }, folders);
      return;
    }
  } catch (error) {
    const unchanged = (await getInstallationRow(db)).installation_id === row.installation_id;
    if (unchanged || !(error instanceof ForeignPart)) throw error;
  }
  await claimFolders(db, folders);
}

/**
 * Declares database, keys and files to be one installation, on behalf of the operator, whatever
 * their marks say.
 */
export async function adoptFolders(db: Db, folders: MarkedFolders): Promise<void> {
  const id = await markFolders(db, folders);
  await recordAudit(db, { operator: "cli" }, { action: "installation.adopted", target: id });
}

/**
 * Marks the folders as those of the database, replacing other marks. Returns the id of the
 * installation.
 */
export async function markFolders(db: Db, { filesDir, keysDir }: MarkedFolders): Promise<string> {
  const { installation_id: known, marked_at: markedAt } = await getInstallationRow(db);
  // A malformed mark identifies no installation and is replaced.
  const markOf = (folder: string) => readMark(folder).catch(() => undefined);
  const id = known ?? (await markOf(keysDir)) ?? (await markOf(filesDir)) ?? newId();
  await nameInstallation(db, id);
  await makeDurableFolder(filesDir);
  if ((await markOf(filesDir)) !== id) await replaceDurableFile(join(filesDir, markName), `${id}\n`);
  if ((await markOf(keysDir)) !== id)
    await replaceDurableFile(join(keysDir, markName), `${id}\n`).catch(ignoreReadOnly);
  if (markedAt === null) await recordMarked(db);
  return id;
}

/**
 * Chooses the id for a database without one: a new database, or one of an earlier version. If both
 * folders have the same mark, the database is an earlier copy of theirs and gets this id: its keys
 * have been checked by their fingerprint.
 */
async function chooseId(db: Db, { filesDir, keysDir }: MarkedFolders): Promise<string> {
  const [keysMark, filesMark] = [await readMark(keysDir), await readMark(filesDir)];
  if (keysMark !== undefined && keysMark === filesMark && (await hasOrganizations(db))) return keysMark;
  for (const [part, folder, mark] of [
    ["keys", keysDir, keysMark],
    ["stored files", filesDir, filesMark],
  ])
    if (mark !== undefined)
      throw foreign(
        `The folder of the ${part}, ${folder}, belongs to installation ${mark}, but the database belongs to none.`,
      );
  await refuseEmptyDatabase(db, filesDir);
  return newId();
}

async function claimNamed(
  db: Db,
  { installation_id: id, marked_at: markedAt }: InstallationRow & { installation_id: string },
  { filesDir, keysDir }: MarkedFolders,
): Promise<void> {
  const filesMark = await readMark(filesDir);
  const keysMark = await readMark(keysDir);
  const isOther = `but the database belongs to installation ${id}.`;
  if (filesMark !== undefined && filesMark !== id)
    throw foreign(`The folder of the stored files, ${filesDir}, belongs to installation ${filesMark}, ${isOther}`);
  if (keysMark !== undefined && keysMark !== id)
    throw foreign(`The folder of the keys, ${keysDir}, belongs to installation ${keysMark}, ${isOther}`);
  if (filesMark === undefined) {
    if (markedAt !== null)
      throw foreign(
        `The folder of the stored files, ${filesDir}, has no mark of this installation (${markName}): it may be an empty mount point.`,
      );
    await refuseEmptyDatabase(db, filesDir);
    await makeDurableFolder(filesDir);
    await makeDurableFile(join(filesDir, markName), `${id}\n`);
  }
  // The keys may be on a read-only file system. Their fingerprint in the database already
  // identifies them.
  if (keysMark === undefined) await makeDurableFile(join(keysDir, markName), `${id}\n`).catch(ignoreReadOnly);
  if (markedAt === null) await recordMarked(db);
}

async function refuseEmptyDatabase(db: Db, filesDir: string): Promise<void> {
  if ((await hasOrganizations(db)) || !(await holdsFiles(filesDir))) return;
  throw foreign(
    `The database is empty, but the folder of the stored files, ${filesDir}, contains files: it belongs to another database.`,
  );
}

const foreign = (what: string): ForeignPart =>
  new ForeignPart(
    `${what} Correct the settings or restore the right part. If the parts do belong together, run \`sheaf adopt\`.`,
  );

async function readMark(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, markName), "utf8").catch(absent);
  if (text === undefined) return undefined;
  const mark = text.trim();
  if (!isId(mark)) throw foreign(`The file ${join(folder, markName)}, which marks the installation, is malformed.`);
  return mark;
}

/** Returns whether there is a stored file anywhere below the folder. */
async function holdsFiles(folder: string): Promise<boolean> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? [];
  for (const entry of entries)
    if (!entry.name.startsWith(".") && (!entry.isDirectory() || (await holdsFiles(join(folder, entry.name)))))
      return true;
  return false;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

function ignoreReadOnly(error: NodeJS.ErrnoException): void {
  if (!["EROFS", "EACCES", "EPERM"].includes(error.code ?? "")) throw error;
}
