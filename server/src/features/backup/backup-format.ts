/**
 * Format of a backup, which is a folder with:
 * - `manifest.json`
 * - `SHA256SUMS`: the hashes of all other files, for `sha256sum -c`
 * - `tables/`: the rows of each table, as lines of JSON compressed with zstd
 * - `files/`: the stored files, under their keys
 * - `keys/`: the keys
 */
import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { filesInside, type ListedFile, openInside, readInside } from "./backup-files.ts";

export const manifestName = "manifest.json";
export const sumsName = "SHA256SUMS";
export const tablePath = (table: string): string => `tables/${table}.jsonl.zst`;
export const filePath = (key: string): string => `files/${key}`;
export const keyPath = (name: string): string => `keys/${name}`;
export const formatVersion = 1;

export interface Manifest {
  format: typeof formatVersion;
  /** Version of Sheaf that made the backup. */
  version: string;
  /** Time of the snapshot. */
  taken_at: string;
  migrations: readonly string[];
  /** Number of rows of each table. */
  tables: Record<string, number>;
  files: { count: number; bytes: number };
  /** Fingerprint of the keys that the rows are encrypted with. */
  key_fingerprint: string;
  /** True if the backup contains these keys. */
  has_keys: boolean;
  /**
   * Documents, operations and kept results deleted during the backup, before their files were
   * copied. A restore leaves them out.
   */
  gone: {
    documents: string[];
    operations: string[];
    /** Absent in backups of versions without kept extractions. */
    kept_extractions?: string[];
    kept_classifications?: string[];
  };
  /** Hash of `SHA256SUMS`. */
  sums_sha256: string;
}

/** Stream that counts and hashes the bytes passing through. */
export class ByteCounter extends Transform {
  readonly #hash = createHash("sha256");
  bytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  sha256(): string {
    return this.#hash.digest("hex");
  }
}

const mebibyte = 1024 ** 2;
/** Maximum size of the manifest. Each document deleted during the backup adds 40 bytes. */
const maxManifestBytes = 64 * mebibyte;
/**
 * Maximum size of `SHA256SUMS`, enough to list about 2.5 million files. The content of a larger
 * file would not fit into a string.
 */
const maxSumsBytes = 500 * mebibyte;
/** Maximum size of one file, in bytes. It is far above the size of any stored file or table. */
export const maxFileBytes = 64 * 1024 * mebibyte;
/** Maximum size of a key file, in bytes. A valid key file is 45 bytes long. */
export const maxKeyBytes = 4096;

/**
 * Reads the manifest of a backup.
 * @throws Error if there is no complete backup, or if this version cannot read the backup
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readInside(folder, manifestName, maxManifestBytes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== undefined) throw new Error(`${folder} is not a backup, or not a complete one.`);
    throw error;
  });
  const manifest: unknown = JSON.parse(text.toString("utf8"));
  if (!isRecord(manifest) || manifest.format !== formatVersion)
    throw new Error(
      `The backup was made by version ${String(Object(manifest).version)}, which this version cannot read.`,
    );
  if (!isManifest(manifest)) throw new Error(`${manifestName} of the backup is malformed.`);
  return manifest;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === "string");

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & Manifest {
  const { tables, files, gone } = value;
  return (
    isRecord(tables) &&
    Object.entries(tables).every(([name, count]) => /^[a-z_]{1,60}$/.test(name) && isCount(count)) &&
    isRecord(files) &&
    isCount(files.count) &&
    isCount(files.bytes) &&
    isRecord(gone) &&
    areTexts(gone.documents) &&
    areTexts(gone.operations) &&
    areTexts(gone.kept_extractions ?? []) &&
    areTexts(gone.kept_classifications ?? []) &&
    areTexts(value.migrations) &&
    ["version", "taken_at", "key_fingerprint", "sums_sha256"].every((name) => typeof value[name] === "string") &&
    typeof value.has_keys === "boolean"
  );
}

/**
 * Reads every file of a backup once.
 * @throws Error if a file is missing, unexpected, changed, or not a regular file
 */
export async function verify(folder: string, manifest: Manifest): Promise<void> {
  const sums = await readInside(folder, sumsName, maxSumsBytes);
  if (createHash("sha256").update(sums).digest("hex") !== manifest.sums_sha256)
    throw new Error(`${sumsName} of the backup has changed.`);
  const lines = sums.toString("utf8").matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm);
  const expected = new Map([...lines].map(([, sum, path]) => [path, sum]));
  const listed = await listExpected(folder, new Set(expected.keys()), manifest);
  for (const { path } of listed) {
    if ((await sha256Of(folder, path)) !== expected.get(path)) throw new Error(`${path} of the backup has changed.`);
    expected.delete(path);
  }
  for (const path of expected.keys()) throw new Error(`${path} is missing from the backup.`);
}

/**
 * Lists the files of a backup, and checks the list before any of the files is read.
 * @throws Error if the total size differs from that in the manifest, or a file is not in
 * `SHA256SUMS`
 */
async function listExpected(
  folder: string,
  expected: Set<string | undefined>,
  manifest: Manifest,
): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  let bytes = 0;
  for await (const file of filesInside(folder)) {
    if (file.path === manifestName || file.path === sumsName) continue;
    if (!expected.has(file.path)) throw new Error(`${file.path} does not belong to the backup.`);
    if (file.path.startsWith(filePath(""))) bytes += file.bytes;
    if (bytes > manifest.files.bytes) throw new Error("The files of the backup are larger than its manifest states.");
    listed.push(file);
  }
  if (bytes !== manifest.files.bytes) throw new Error("The files of the backup are smaller than its manifest states.");
  return listed;
}

async function sha256Of(folder: string, path: string): Promise<string> {
  await using handle = await openInside(folder, path, maxFileBytes);
  const hash = createHash("sha256");
  await pipeline(handle.createReadStream({ autoClose: false }), hash);
  return hash.digest("hex");
}
