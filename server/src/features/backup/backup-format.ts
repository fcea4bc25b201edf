/**
 * What a backup is: a folder with `manifest.json`, `SHA256SUMS` (as `sha256sum -c` reads it, of every file but these two), the rows of
 * each table as zstd over lines of JSON in `tables/`, the stored files under their keys in `files/`, and the keys in `keys/`.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export const manifestName = "manifest.json";
export const sumsName = "SHA256SUMS";
export const tablePath = (table: string): string => `tables/${table}.jsonl.zst`;
export const filePath = (key: string): string => `files/${key}`;
export const keyPath = (name: string): string => `keys/${name}`;
export const formatVersion = 1;

export interface Manifest {
  format: typeof formatVersion;
  /** The version of this program that made it. */
  version: string;
  /** The moment that it shows. */
  taken_at: string;
  migrations: readonly string[];
  /** Rows of each table. */
  tables: Record<string, number>;
  files: { count: number; bytes: number };
  /** Tells which keys the rows need. */
  key_fingerprint: string;
  /** Whether these are in it. */
  has_keys: boolean;
  /** What was deleted while the backup was made, before its file was copied: it is left out when the backup is restored. */
  gone: { documents: string[]; operations: string[] };
  /** Hash of the file of hashes. */
  sums_sha256: string;
}

/** Counts and hashes what passes through. */
export class Meter extends Transform {
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

/** @throws Error where there is no whole backup, or one that this version can't read. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} is no backup, or one that has not come to its end.`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== formatVersion)
    throw new Error(`The backup was made by version ${manifest.version}, which this version can't read.`);
  return manifest;
}

/** Reads every file of a backup once. @throws Error where one is missing, too many or not what it was. */
export async function verify(folder: string, manifest: Manifest): Promise<void> {
  const sums = await readFile(join(folder, sumsName));
  if (createHash("sha256").update(sums).digest("hex") !== manifest.sums_sha256)
    throw new Error(`${sumsName} of the backup is not what it was.`);
  const lines = sums.toString("utf8").matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm);
  const expected = new Map([...lines].map(([, sum, path]) => [path, sum]));
  for (const path of await filesIn(folder)) {
    if (path === manifestName || path === sumsName) continue;
    const sum = expected.get(path);
    if (sum === undefined) throw new Error(`${path} does not belong to the backup.`);
    if ((await sha256Of(join(folder, path))) !== sum) throw new Error(`${path} of the backup is not what it was.`);
    expected.delete(path);
  }
  for (const path of expected.keys()) throw new Error(`${path} is missing from the backup.`);
}

/** The paths of all files below a folder; none where there is no such folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** So that the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
