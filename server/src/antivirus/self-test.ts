/**
 * Tests that clamd finds a virus even in the largest files that the service accepts. If a file
 * exceeds the limits of clamd, clamd responds `OK`, as it does for a clean file. clamd cannot be
 * asked for its limits. So the test sends a file that contains a virus signature. If clamd responds
 * `OK`, the file exceeds the limits.
 */
import { limits, megabyte } from "@sheaf/contract/limits.ts";
import { type ClamdAddress, ClamdError, scanStream } from "./clamd.ts";
import { archiveWith } from "./sample-archive.ts";

export interface SelfTest {
  /** Size, in bytes, up to which clamd scans files completely. */
  scannedBytes: number;
  /** Problem that the operator should fix, as a sentence; undefined if clamd works. */
  problem: string | undefined;
}

/**
 * The EICAR test file, which every scanner knows. It is split in two, so that scanners do not
 * report this source file.
 */
export const eicar = Buffer.from(
  ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR", "-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join(""),
  "latin1",
);

const largestBytes = limits.maxDocumentFileBytes;
/** Size, in bytes, up to which every clamd is assumed to scan files completely. */
export const smallestBytes = megabyte / 2;

/**
 * Scans the plain test file, and then an archive of the largest accepted size whose last member is
 * the test file. If clamd does not find the test file, halves the size of the archive and tries
 * again. Uses archives because the signature matches the test file only as a whole file or as a
 * whole member of an archive. Each scan takes at most `timeoutMs`.
 * @throws the reason of `signal` if it aborts.
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

/** Resolves to true if clamd now scans a file of `bytes` bytes completely. */
export const looksThrough = (
  address: ClamdAddress,
  bytes: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> => findsEicar(address, archiveWith(eicar, bytes), timeoutMs, signal);

/** Returns whether clamd finds the test file. A report that a limit was exceeded does not count. */
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

const unknownEicar =
  "clamd does not know the EICAR test file, so its signatures are missing: fetch them with freshclam";

const tooLow = (bytes: number): string =>
  `files may have ${inMegabytes(largestBytes)}, and clamd finds the EICAR test file at the end of an archive of ${inMegabytes(bytes)} at ` +
  "most: set StreamMaxLength and MaxFileSize to 64M or more, MaxScanSize to 200M or more, ScanArchive and AlertExceedsMax to yes in " +
  "clamd.conf, and start clamd again";

const inMegabytes = (bytes: number): string => `${Number((bytes / megabyte).toPrecision(2))} MB`;
