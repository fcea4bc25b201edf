/** Returns the files that a user dropped or chose, each with its folder. */
import { isSystemFile, joinPath } from "./file-rules.ts";
import type { FileToUpload } from "./upload-store.ts";

/**
 * Returns the dropped files, including those inside dropped folders. Must be called within the
 * event handler, because the browser discards the entries afterwards.
 * @param folder folder of the corpus into which the files are dropped
 */
export async function droppedFiles(transfer: DataTransfer, folder: string): Promise<FileToUpload[]> {
  const entries: FileSystemEntry[] = [];
  const loose: FileToUpload[] = [];
  for (const item of transfer.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = entry === null ? item.getAsFile() : null;
    if (entry !== null) entries.push(entry);
    else if (file !== null) loose.push({ file, path: folder });
  }
  const found: FileToUpload[] = [];
  for (const entry of entries) await collect(entry, folder, found);
  return [...loose, ...found].filter(({ file }) => !isSystemFile(file.name));
}

async function collect(entry: FileSystemEntry, folder: string, found: FileToUpload[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ file, path: folder });
    return;
  }
  const path = joinPath(folder, entry.name);
  for await (const child of childrenOf(entry as FileSystemDirectoryEntry)) await collect(child, path, found);
}

/**
 * Yields the entries of a folder. `readEntries` returns at most 100 entries per call, and an empty
 * list at the end.
 */
async function* childrenOf(directory: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = directory.createReader();
  const read = () => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  for (let entries = await read(); entries.length > 0; entries = await read()) yield* entries;
}

/**
 * Returns the files chosen with a file input. If a folder was chosen, its files keep their paths.
 */
export const chosenFiles = (list: FileList | null, folder: string): FileToUpload[] =>
  [...(list ?? [])]
    .filter(({ name }) => !isSystemFile(name))
    .map((file) => ({
      file,
      path: joinPath(folder, file.webkitRelativePath.split("/").slice(0, -1).join("/")),
    }));
