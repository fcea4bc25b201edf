/**
 * Tests that clamd finds a virus in files as large as the service accepts. Beyond its limits clamd
 * responds `OK`, as for a clean file, and it does not state its limits. Only a file that it must
 * find shows how far it scans.
 */
import { limits, megabyte } from "@sheaf/contract/limits.ts";
import { type ClamdAddress, ClamdError, scanStream } from "./clamd.ts";
import { archiveWith } from "./sample-archive.ts";

export interface SelfTest {
  /** Files up to this size are scanned to their last byte, in bytes. */
  scannedBytes: number;
  /** Names what the operator should fix; undefined if nothing. */
  problem: string | undefined;
}

/**
 * The EICAR test file, which every scanner knows. Split in two, so that scanners do not report this
 * source.
 */
export const eicar = Buffer.from(
  ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR", "-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join(""),
  "latin1",
);

const largestBytes = limits.maxDocumentFileBytes;
/** Size up to which every clamd is assumed to scan whole files, in bytes. */
export const smallestBytes = megabyte / 2;

/**
 * Scans the plain test file, then archives that end with it: one of the largest accepted size and,
 * if it is not found there, one of half that size, and so on. Signatures match the test file as a
 * whole file, so at the end of a large file it is found only as the member of an archive. Each scan
 * may take `timeoutMs`.
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

/** Resolves to true if clamd now scans a file of `bytes` bytes to its end. */
export const looksThrough = (
  address: ClamdAddress,
  bytes: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> => findsEicar(address, archiveWith(eicar, bytes), timeoutMs, signal);

/** A finding that only reports an exceeded limit does not count. */
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
