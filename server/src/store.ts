/** The configured store of files: a folder, or a bucket. */
import { join } from "node:path";
import type { Config } from "./config.ts";
import { openFolderFiles } from "./files/folder-files.ts";
import { type FilesMark, folderMark } from "./files/installation-mark.ts";
import type { StoredFiles } from "./files/stored-files.ts";

/** Returns the folder of the temporary files of requests and jobs. */
export const temporaryFolder = (config: Config): string => join(config.dataDir, "tmp");

/** @throws FilesUnavailable; Error if the store lacks a feature that Sheaf needs */
export const openStore = async (config: Config): Promise<StoredFiles> =>
  config.s3 === undefined ? openFolderFiles(config.filesDir) : (await openS3(config, config.s3)).files;

/**
 * Returns the installation mark of the stored files. Does not create a missing folder, because it
 * may be the mount point of a volume that is not mounted.
 * @throws the same errors as `openStore`
 */
export const markOfFiles = async (config: Config): Promise<FilesMark> =>
  config.s3 === undefined ? folderMark(config.filesDir) : (await openS3(config, config.s3)).mark;

/** Loads the library only if the stored files are in S3. */
async function openS3(config: Config, s3: NonNullable<Config["s3"]>) {
  const { openS3Files } = await import("./files/s3-files.ts");
  return openS3Files(s3, temporaryFolder(config));
}
