/**
 * Functions for commands that process files: they print one line of JSON per file, and read input
 * from JSON files.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Issue } from "@sheaf/contract/errors.ts";
import { type FileToRead, readableExtensionOf } from "../features/understanding/understanding.service.ts";
import { errorEnvelope } from "../http/error-reply.ts";
import { AppError } from "../lib/errors.ts";

/** Prints one JSON line per file, in order; exits with code 1 if a file failed. */
export async function printEach(
  paths: readonly string[],
  understand: (file: FileToRead) => Promise<{ data: unknown; metadata: object }>,
): Promise<void> {
  for (const path of paths) {
    const filename = basename(path);
    try {
      const file = { path, filename, extension: readableExtensionOf(filename) };
      const { data, metadata } = await understand(file);
      console.log(JSON.stringify({ status: "success", data, metadata: { filename, ...metadata } }));
    } catch (error) {
      const appError = asAppError(error);
      console.error(`sheaf: ${path}: ${appError.message}`);
      console.log(JSON.stringify({ ...errorEnvelope(appError), metadata: { filename } }));
      process.exitCode = 1;
    }
  }
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // Shows the message of the operating system, for instance that the file does not exist.
  if (error instanceof Error && (error as NodeJS.ErrnoException).code !== undefined)
    return new AppError("invalid_request", undefined, { cause: error, message: error.message });
  return new AppError("internal_error", undefined, { cause: error });
}

/**
 * Reads and checks a JSON file.
 * @param what name of the expected content in error messages, such as `list of fields`
 * @throws Error that lists the problems
 */
export async function readChecked<T>(path: string, what: string, check: (value: unknown) => Issue[]): Promise<T> {
  const text = await readFile(path, "utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  const lines = check(value).map(({ path, message }) => `  ${path || "/"} ${message}`);
  if (lines.length > 0) throw new Error(`${path} contains no valid ${what}:\n${lines.join("\n")}`);
  return value as T;
}
