/** Dependencies of the tools, and the caller of a tool. */
import { createHash } from "node:crypto";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Caller, Principal } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import type { UploadedFile } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import type { PassageIndex } from "../../search/passage-index.ts";
import type { Extractor } from "../extraction/extraction.service.ts";
import type { OperationDeps } from "../operations/operations.service.ts";
import type { Links } from "./places.ts";

export interface ToolDeps {
  db: Db;
  files: StoredFiles;
  index: PassageIndex;
  extractor: Extractor;
  /** Undefined if nothing may be recorded, so that `extract` cannot run in the background. */
  operations: OperationDeps | undefined;
  /** Scans a file that was sent with a call; undefined if no antivirus is configured. */
  scan: ((file: UploadedFile, signal: AbortSignal) => Promise<void>) | undefined;
  /** Stores a file that was sent with a call while the call is processed. */
  storeTemporarily(bytes: Buffer): Promise<{ path: string } & AsyncDisposable>;
  /** Maximum time of one call of a tool other than `extract`. */
  timeoutMs: number;
}

/** One call of a tool. */
export interface ToolCall {
  principal: Principal;
  /**
   * Undefined on the command line. Background work is then refused, because it must be recorded for
   * a caller.
   */
  caller: Caller | undefined;
  links: Links;
  signal: AbortSignal;
}

/** @throws AppError `invalid_request`, which names the argument and what is wrong with it */
export function refuseArgument(name: string, message: string): never {
  throw new AppError("invalid_request", { issues: [{ path: `/${name}`, message }] });
}

/** Returns the numbers in a cursor; undefined if there is no cursor. */
export function numbersOf(cursor: string | undefined, count: number): number[] | undefined {
  if (cursor === undefined) return undefined;
  const numbers = cursor.split(".").map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : Number.NaN));
  if (numbers.length === count && !numbers.some(Number.isNaN)) return numbers;
  return refuseArgument("cursor", "must be the next_cursor of a reply");
}

export const sha256 = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
};
