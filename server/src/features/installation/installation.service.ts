/**
 * Verifies that the database, the keys and the stored files belong to the same installation. All
 * three contain its id. The service refuses to start with an empty or wrong database, because every
 * stored file would then count as a stray.
 */
import type { FilesMark, InstallationMark } from "../../files/installation-mark.ts";
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

export interface MarkedParts {
  files: FilesMark;
  keys: InstallationMark;
}

/** Thrown if the database, the keys and the stored files do not belong to the same installation. */
class ForeignPart extends Error {
  override readonly name = "ForeignPart";
}

/**
 * Checks that the keys and the stored files belong to the database. If the installation is new, or
 * was created by an earlier version, writes the missing marks. A mark is a file that contains the
 * id of the installation. The id is stored in the database first, so that a crash never leaves a
 * mark whose id the database does not contain.
 * @throws ForeignPart
 */
export async function claimParts(db: Db, parts: MarkedParts): Promise<void> {
  // Reads the row first and the marks afterwards. Another process that is starting writes the marks
  // first and then records in the row that they exist. So if the row says that the marks exist,
  // they do.
  const row = await getInstallationRow(db);
  try {
    if (row.installation_id === null) {
      await nameInstallation(db, await chooseId(db, parts));
    } else {
      await claimNamed(db, { ...row, installation_id: row.installation_id }, parts);
      return;
    }
  } catch (error) {
    const unchanged = (await getInstallationRow(db)).installation_id === row.installation_id;
    if (unchanged || !(error instanceof ForeignPart)) throw error;
  }
  await claimParts(db, parts);
}

/** Prefix of the text in a mark whose stored files have been moved. The new place follows it. */
const movedPrefix = "moved to ";

/**
 * Moves the mark of the stored files to the place that the files have been copied to. A process
 * that is still configured with the old place then refuses to start.
 * @throws ForeignPart if the new place belongs to another installation
 */
export async function moveFilesMark(db: Db, from: FilesMark, to: FilesMark): Promise<void> {
  const { installation_id: id } = await getInstallationRow(db);
  const mark = await readMark(to);
  if (id === null || (mark !== undefined && mark !== id))
    throw foreign(`The ${to.kind} ${to.place} belongs to installation ${mark}, but the database belongs to ${id}.`);
  await to.create(`${id}\n`);
  await from.replace(`${movedPrefix}${to.place}\n`);
}

/**
 * Declares database, keys and files to be one installation, on behalf of the operator. Replaces
 * marks of other installations.
 */
export async function adoptParts(db: Db, parts: MarkedParts): Promise<void> {
  const id = await markParts(db, parts);
  await recordAudit(db, { operator: "cli" }, { action: "installation.adopted", target: id });
}

/**
 * Marks the keys and the stored files as belonging to the database, and replaces marks of other
 * installations. Returns the id of the installation.
 */
export async function markParts(db: Db, { files, keys }: MarkedParts): Promise<string> {
  const { installation_id: known, marked_at: markedAt } = await getInstallationRow(db);
  // A malformed mark is treated as missing, and is overwritten with a new one.
  const markOf = (part: InstallationMark) => readMark(part).catch(ignoreForeign);
  const id = known ?? (await markOf(keys)) ?? (await markOf(files)) ?? newId();
  await nameInstallation(db, id);
  if ((await markOf(files)) !== id) await files.replace(`${id}\n`);
  if ((await markOf(keys)) !== id) await keys.replace(`${id}\n`).catch(ignoreReadOnly);
  if (markedAt === null) await recordMarked(db);
  return id;
}

/**
 * Chooses the id of the installation for a database that does not contain one, because it is new or
 * was created by an earlier version. If the keys and the stored files have the same mark, and the
 * database contains an organization, the database is an older copy of the database that they belong
 * to. The id is then taken from that mark. This is safe, because the fingerprint of the keys has
 * been checked.
 */
async function chooseId(db: Db, { files, keys }: MarkedParts): Promise<string> {
  const [keysMark, filesMark] = [await readMark(keys), await readMark(files)];
  if (keysMark !== undefined && keysMark === filesMark && (await hasOrganizations(db))) return keysMark;
  for (const { what, part, mark } of [
    { what: "keys", part: keys, mark: keysMark },
    { what: "stored files", part: files, mark: filesMark },
  ])
    if (mark !== undefined)
      throw foreign(
        `The ${part.kind} of the ${what}, ${part.place}, belongs to installation ${mark}, but the database belongs to none.`,
      );
  await refuseEmptyDatabase(db, files);
  return newId();
}

async function claimNamed(
  db: Db,
  { installation_id: id, marked_at: markedAt }: InstallationRow & { installation_id: string },
  { files, keys }: MarkedParts,
): Promise<void> {
  const filesMark = await readMark(files);
  const keysMark = await readMark(keys);
  const isOther = `but the database belongs to installation ${id}.`;
  if (filesMark !== undefined && filesMark !== id)
    throw foreign(
      `The ${files.kind} of the stored files, ${files.place}, belongs to installation ${filesMark}, ${isOther}`,
    );
  if (keysMark !== undefined && keysMark !== id)
    throw foreign(`The folder of the keys, ${keys.place}, belongs to installation ${keysMark}, ${isOther}`);
  if (filesMark === undefined) {
    if (markedAt !== null)
      throw foreign(
        `The ${files.kind} of the stored files, ${files.place}, has no mark of this installation (.installation): it may be an empty mount point.`,
      );
    await refuseEmptyDatabase(db, files);
    await files.create(`${id}\n`);
  }
  // The keys may be on a read-only file system. Their fingerprint in the database already
  // identifies them.
  if (keysMark === undefined) await keys.create(`${id}\n`).catch(ignoreReadOnly);
  if (markedAt === null) await recordMarked(db);
}

async function refuseEmptyDatabase(db: Db, files: FilesMark): Promise<void> {
  if ((await hasOrganizations(db)) || !(await files.holdsFiles())) return;
  throw foreign(
    `The database is empty, but the ${files.kind} of the stored files, ${files.place}, contains files: it belongs to another database.`,
  );
}

const foreign = (what: string): ForeignPart =>
  new ForeignPart(
    `${what} Correct the settings or restore the right part. If the parts do belong together, run \`sheaf adopt\`.`,
  );

async function readMark(part: InstallationMark): Promise<string | undefined> {
  const text = await part.read();
  if (text === undefined) return undefined;
  const mark = text.trim();
  if (mark.startsWith(movedPrefix)) throw foreign(`The stored files of the ${part.kind} ${part.place} were ${mark}.`);
  if (!isId(mark)) throw foreign(`The file ${part.path}, which marks the installation, is malformed.`);
  return mark;
}

function ignoreForeign(error: unknown): undefined {
  if (!(error instanceof ForeignPart)) throw error;
}

function ignoreReadOnly(error: NodeJS.ErrnoException): void {
  if (!["EROFS", "EACCES", "EPERM"].includes(error.code ?? "")) throw error;
}
