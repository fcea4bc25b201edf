/** File names and paths: validation and normalization. */
import type { Issue } from "./errors.ts";
import { isLongerThan } from "./formats.ts";
import { limits } from "./limits.ts";

/**
 * Characters that are refused: control characters; bidirectional embeddings, overrides and
 * isolates, which can disguise an extension; unpaired surrogates.
 */
const forbidden = /[\p{Cc}\u202A-\u202E\u2066-\u2069\p{Cs}]/u;
/**
 * Maximum ratio by which Unicode canonical composition shortens UTF-16 text. Text longer than this
 * multiple of the limit is refused without normalizing it.
 */
const maxComposition = 8;

/** Normalizes a file name or path to Unicode NFC. */
export function normalizeFilename(name: string): string {
  return name.normalize("NFC");
}

/**
 * Returns the extension of a file name in lower case without its dot; "" if there is none
 * (`README`, `.profile`, `name.`).
 * @example
 * extensionOf("Scan.2024.PDF") // "pdf"
 */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot <= 0 ? "" : filename.slice(dot + 1).toLowerCase();
}

/**
 * Returns the issues of a file name. A valid name has an extension and, after Unicode NFC, 1 to 255
 * characters. It has no slashes, backslashes, control characters or bidirectional overrides. Never
 * throws.
 */
export function filenameIssues(filename: unknown, path = "/filename"): Issue[] {
  const message = filenameProblem(filename);
  return message === undefined ? [] : [{ path, message }];
}

/**
 * Returns the issues of a document's path in its corpus. A valid path has at most 512 characters.
 * It consists of segments of 1 to 255 characters between single slashes, and no segment is `.` or
 * `..`. Never throws. Must not be called for an absent path.
 */
export function documentPathIssues(documentPath: unknown, path = "/path"): Issue[] {
  const message = documentPathProblem(documentPath);
  return message === undefined ? [] : [{ path, message }];
}

function filenameProblem(value: unknown): string | undefined {
  const problem = textProblem(value, limits.filenameMaxLength);
  if (problem !== undefined) return problem;
  const filename = value as string;
  if (filename.includes("/")) return "must not contain a slash";
  if (isDots(filename)) return "must not be . or ..";
  if (extensionOf(filename) === "") return "must have an extension";
  return undefined;
}

function documentPathProblem(value: unknown): string | undefined {
  const problem = textProblem(value, limits.documentPathMaxLength);
  if (problem !== undefined) return problem;
  for (const segment of normalizeFilename(value as string).split("/")) {
    if (segment === "") return "must not begin or end with a slash or contain an empty segment";
    if (isDots(segment)) return "must not contain the segment . or ..";
    if (isLongerThan(segment, limits.documentPathSegmentMaxLength))
      return `must have at most ${limits.documentPathSegmentMaxLength} characters in each segment`;
  }
  return undefined;
}

/** Checks the rules that names and paths have in common. */
function textProblem(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "must not be empty";
  if (value.length > maxLength * 2 * maxComposition || isLongerThan(normalizeFilename(value), maxLength))
    return `must have at most ${maxLength} characters`;
  if (forbidden.test(value)) return "must not contain control characters or bidirectional overrides";
  if (value.includes("\\")) return "must not contain a backslash";
  return undefined;
}

function isDots(segment: string): boolean {
  return segment === "." || segment === "..";
}
