/** `sheaf extract`: reads files, extracts, prints; no service, no database. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { errors } from "@sheaf/contract/errors.ts";
import { type ExtractionParam, paramIssues, requestParamRules } from "@sheaf/contract/params.ts";
import { openUnderstanding } from "../compose.ts";
import { readConfig } from "../config.ts";
import { extractFile, readableExtensionOf, type UnderstandingDeps } from "../features/extraction/extraction.service.ts";
import { errorEnvelope } from "../http/error-reply.ts";
import { AppError } from "../lib/errors.ts";

interface ExtractOptions {
  params: string;
  evidence: boolean;
}

/** Prints one JSON line a file, in their order; the exit code is 1 where a file failed. */
export async function extract(files: string[], options: ExtractOptions): Promise<void> {
  const config = readConfig();
  const params = await readParams(options.params);
  await using understanding = openUnderstanding(config);
  const deps = { ...understanding, timeoutMs: config.extraction.timeoutMs };
  let failed = false;
  for (const file of files) {
    const line = await extractOne(deps, file, params, options.evidence);
    failed ||= line.status === "error";
    console.log(JSON.stringify(line));
  }
  if (failed) process.exitCode = 1;
}

async function extractOne(deps: UnderstandingDeps, path: string, params: ExtractionParam[], withEvidence: boolean) {
  const filename = basename(path);
  const startedAt = performance.now();
  try {
    const file = { path, filename, extension: readableExtensionOf(filename) };
    const { data, evidence, tokens, pages } = await extractFile(deps, file, params, new AbortController().signal);
    const duration = Math.round(performance.now() - startedAt) / 1000;
    const metadata = {
      filename,
      duration,
      tokens_consumed: tokens,
      pages,
      ...(withEvidence ? { evidence: [evidence] } : {}),
    };
    return { status: "success", data: [data], metadata };
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

async function readParams(path: string): Promise<ExtractionParam[]> {
  const text = await readFile(path, "utf8");
  let params: unknown;
  try {
    params = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  const issues = paramIssues(params, requestParamRules, "");
  if (issues.length > 0)
    throw new Error(
      `${path} holds no valid params:\n${issues.map((i) => `  ${i.path || "/"} ${i.message}`).join("\n")}`,
    );
  return params as ExtractionParam[];
}
