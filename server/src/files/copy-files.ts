/** Copies all files of one store to another. */
import type { StoredFiles } from "./stored-files.ts";

export interface CopyReport {
  copied: number;
  /** Number of files that the target already had. */
  present: number;
}

/** Maximum number of files that are copied at the same time. */
const copiedAtOnce = 8;

/**
 * Copies files that are missing from the target or have a different size there, so that an
 * interrupted copy can be continued. Nothing may write to either store meanwhile.
 * @throws Error if a file in the target has a different size even after it was copied
 */
export async function copyFiles(from: StoredFiles, to: StoredFiles): Promise<CopyReport> {
  const report: CopyReport = { copied: 0, present: 0 };
  const files = from.list()[Symbol.asyncIterator]();
  const copyNext = async (): Promise<void> => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      const { key } = next.value;
      const size = await from.size(key);
      if ((await to.size(key)) === size) {
        report.present++;
        continue;
      }
      await using local = await from.local(key);
      await to.put(key, local.path);
      if ((await to.size(key)) !== size) throw new Error(`The copy of the stored file ${key} has another size.`);
      report.copied++;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: copiedAtOnce }, copyNext));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return report;
}
