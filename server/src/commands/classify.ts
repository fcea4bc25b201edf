/** `sheaf classify`: reads files, finds their documents and the classes of these, prints; no service, no database. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  type ClassInputJson,
  ClassInputs,
  type ClassificationMode,
  classificationModes,
} from "@sheaf/contract/classification.ts";
import { errors } from "@sheaf/contract/errors.ts";
import { compile } from "@sheaf/contract/validate.ts";
import { openUnderstanding } from "../compose.ts";
import { readConfig } from "../config.ts";
import { type ClassificationDeps, classifyFile } from "../features/classification/classification.service.ts";
import { readableExtensionOf } from "../features/extraction/extraction.service.ts";
import { errorEnvelope } from "../http/error-reply.ts";
import { AppError } from "../lib/errors.ts";

interface ClassifyOptions {
  classes?: string;
  mode: string;
}

/** Prints one JSON line a file, in their order; the exit code is 1 where a file failed. */
export async function classify(files: string[], options: ClassifyOptions): Promise<void> {
  const config = readConfig();
  const mode = classificationModes.find((known) => known === options.mode);
  if (!mode) throw new Error(`--mode must be one of ${classificationModes.join(", ")}.`);
  const classes = options.classes === undefined ? [] : await readClasses(options.classes);
  await using understanding = openUnderstanding(config);
  const deps = { ...understanding, timeoutMs: config.operations.timeoutMs };
  let failed = false;
  for (const file of files) {
    const line = await classifyOne(deps, file, classes, mode);
    failed ||= line.status === "error";
    console.log(JSON.stringify(line));
  }
  if (failed) process.exitCode = 1;
}

async function classifyOne(
  deps: ClassificationDeps,
  path: string,
  classes: ClassInputJson[],
  mode: ClassificationMode,
) {
  const filename = basename(path);
  try {
    const file = { path, filename, extension: readableExtensionOf(filename) };
    const done = await classifyFile(deps, { file, classes, mode }, new AbortController().signal);
    const metadata = { filename, duration: done.durationMs / 1000, tokens_consumed: done.tokens };
    return { status: "success", data: done.data, metadata };
  } catch (error) {
    const appError = asAppError(error);
    console.error(`sheaf: ${path}: ${appError.message}`);
    return { ...errorEnvelope(appError), metadata: { filename } };
  }
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const missing = (error as NodeJS.ErrnoException).code !== undefined;
  return new AppError("internal_error", undefined, {
    cause: error,
    message: missing && error instanceof Error ? error.message : errors.internal_error.message,
  });
}

const checkClasses = compile(ClassInputs);

async function readClasses(path: string): Promise<ClassInputJson[]> {
  const text = await readFile(path, "utf8");
  let classes: unknown;
  try {
    classes = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  const issues = checkClasses(classes);
  if (issues.length > 0) {
    const lines = issues.map((issue) => `  ${issue.path || "/"} ${issue.message}`);
    throw new Error(`${path} holds no valid classes:\n${lines.join("\n")}`);
  }
  return classes as ClassInputJson[];
}
