/**
 * Whether clamd finds what it should in files as large as the service accepts. clamd passes what is beyond its limits unscanned, with
 * the same `OK` as a clean file, and does not tell its limits: only a file that it must find shows how far it looks.
 */
import { limits, megabyte } from "@sheaf/contract/limits.ts";
import { type ClamdAddress, ClamdError, scanStream } from "./clamd.ts";
import { archiveWith } from "./sample-archive.ts";

export interface SelfTest {
  /** Up to this size files are known to be looked at to their last byte. */
  scannedBytes: number;
  /** What the operator should mend; undefined where there is nothing. */
  problem: string | undefined;
}

/** The test file that every scanner knows. In two parts, lest it takes this source for it. */
export const eicar = Buffer.from(
  ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR", "-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join(""),
  "latin1",
);

const largestBytes = limits.maxDocumentFileBytes;
/** Files up to this size are trusted to be scanned whole by any clamd. */
export const smallestBytes = megabyte / 2;

/**
 * Has the plain test file scanned, then archives that end with it: one of the largest size that is accepted and, where it is not found in
 * there, one of half of that, and so on. Signatures know the test file as a file of its own, not inside of others, so that only as the
 * member of an archive it is found at the end of a large file. Each scan may take `timeoutMs`.
 * @throws the reason of `signal` where that aborts.
 */
export async function runSelfTest(address: ClamdAddress, timeoutMs: number, signal: AbortSignal): Promise<SelfTest> {
  const find = (chunks: Iterable<Uint8Array>) => findsEicar(address, chunks, timeoutMs, signal);
  try {
    if (!(await find([eicar]))) return { scannedBytes: 0, problem: unknownEicar };
  } catch (error) {
    signal.throwIfAborted();
    return { scannedBytes: 0, problem: problemOf(error, timeoutMs) };
  }
  for (let bytes = largestBytes; bytes >= smallestBytes; bytes = Math.floor(bytes / 2)) {
    const found = await find(archiveWith(eicar, bytes)).catch(() => false);
    signal.throwIfAborted();
    if (found) return { scannedBytes: bytes, problem: bytes === largestBytes ? undefined : tooLow(bytes) };
  }
  return { scannedBytes: 0, problem: tooLow(0) };
}

/** Whether clamd looks to the end of a file of `bytes` bytes now. */
export const looksThrough = (
  address: ClamdAddress,
  bytes: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> => findsEicar(address, archiveWith(eicar, bytes), timeoutMs, signal);

/** A finding that only says that a limit was exceeded is none. */
async function findsEicar(
  address: ClamdAddress,
  chunks: Iterable<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const verdict = await scanStream(address, chunks, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  return verdict.infected && !verdict.signature.startsWith("Heuristics.Limits.");
}

const problemOf = (error: unknown, timeoutMs: number): string =>
  error instanceof ClamdError ? error.message : `clamd gave no verdict within ${timeoutMs / 1000} s`;

const unknownEicar = "clamd does not know the EICAR test file: its signatures are missing; fetch them with freshclam";

const tooLow = (bytes: number): string =>
  `files may have ${inMegabytes(largestBytes)}, and clamd finds the EICAR test file at the end of an archive of ${inMegabytes(bytes)} at ` +
  "most: set StreamMaxLength and MaxFileSize to 64M or more, MaxScanSize to 200M or more, ScanArchive and AlertExceedsMax to yes in " +
  "clamd.conf, and start clamd again";

const inMegabytes = (bytes: number): string => `${Number((bytes / megabyte).toPrecision(2))} MB`;
