/**
 * The tool `extract`: runs an extractor agent on a document of a corpus or a small file. It stores
 * nothing, unless it runs in the background.
 */
import { type ErrorCode, errors } from "@sheaf/contract/errors.ts";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import type { ExtractInputJson, ExtractOutputJson } from "@sheaf/contract/mcp-tools.ts";
import type { EvidenceRecord, ValueRecord } from "../../engine/engine.ts";
import { AppError } from "../../lib/errors.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import type { Document } from "../../reading/document.ts";
import { type ExtractorAgent, getExtractor } from "../agents/agent-lookup.service.ts";
import { getDocument, getPageSource, readStoredDocument } from "../documents/documents.service.ts";
import { daysToKeep } from "../kept-extractions/kept-extractions.service.ts";
import { admitOperation, findOutcome, startOperation } from "../operations/operations.service.ts";
import { readableExtensionOf } from "../understanding/understanding.service.ts";
import { type FlatInput, type FlatValue, flatValues } from "./flat-values.ts";
import { gone } from "./read.ts";
import { TokenBudget } from "./tokens.ts";
import { numbersOf, refuseArgument, sha256, type ToolCall, type ToolDeps } from "./tool-context.ts";

/** Maximum size of a file that is sent in a call. */
const maxFileBytes = 3 * 1024 * 1024;
/**
 * Maximum number of results kept in memory, so that a call for the next page of a result need not
 * extract again. A call that reaches another process does extract again.
 */
const maxRemembered = 20;

interface Result extends FlatInput {
  pages: number | undefined;
  url?: string | undefined;
}

/** The document or file that a call extracts from. */
interface Source {
  filename: string;
  /** A digest that changes with the content. */
  digest: string;
  url: string | undefined;
  /** Returns the stored Document. This member is undefined if the file must be read. */
  document?: () => Promise<Document>;
  file(): Promise<{ path: string } & AsyncDisposable>;
}

export class ExtractTool {
  readonly #deps: ToolDeps;
  readonly #remembered = new RecentMap<string, Result>(maxRemembered);

  constructor(deps: ToolDeps) {
    this.#deps = deps;
  }

  async call(call: ToolCall, input: ExtractInputJson): Promise<ExtractOutputJson> {
    const [offset = 0] = numbersOf(input.cursor, 1) ?? [];
    if (input.extraction !== undefined) return this.#poll(call, input.extraction.toLowerCase(), offset);
    if (input.agent === undefined) return refuseArgument("agent", "is required");
    const agent = await getExtractor(this.#deps.db, call.principal, input.agent.toLowerCase());
    const source = await this.#sourceOf(call, input);
    if (input.background === true) return this.#start(call, agent, source);
    const { organizationId, userId } = call.principal;
    const key = sha256(organizationId, userId ?? "", JSON.stringify(agent), source.digest);
    const known = offset > 0 ? this.#remembered.get(key) : undefined;
    const result = known ?? (await this.#extract(call, agent, source));
    this.#remembered.set(key, result);
    return shown({ ...result, url: source.url }, offset);
  }

  async #sourceOf(call: ToolCall, { corpus, document, file }: ExtractInputJson): Promise<Source> {
    if (file !== undefined) {
      if (document !== undefined) return refuseArgument("file", "must not be given with document");
      return this.#sourceOfFile(call, file);
    }
    if (document === undefined || corpus === undefined)
      return refuseArgument(document === undefined ? "document" : "corpus", "is required");
    const { db, files } = this.#deps;
    const of = { agent: corpus.toLowerCase(), document: document.toLowerCase() };
    const source = await getPageSource({ db }, call.principal, of.agent, of.document);
    const { name } = await getDocument({ db }, call.principal, of.agent, of.document);
    return {
      filename: name,
      digest: source.digest,
      url: call.links.document(of.agent, of.document),
      document: () => readStoredDocument(files, { organizationId: call.principal.organizationId, ...of }).catch(gone),
      file: () => files.local(source.fileKey).catch(gone),
    };
  }

  #sourceOfFile({ signal }: ToolCall, { filename, content }: NonNullable<ExtractInputJson["file"]>): Source {
    readableExtensionOf(filename, extractionExtensions);
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(content) || content.length % 4 !== 0)
      return refuseArgument("file/content", "must be base64 without white space");
    const bytes = Buffer.from(content, "base64");
    if (bytes.length > maxFileBytes) throw new AppError("file_too_large", { limit: maxFileBytes, size: bytes.length });
    const stored = async () => {
      const file = await this.#deps.storeTemporarily(bytes);
      try {
        await this.#deps.scan?.({ path: file.path, size: bytes.length }, signal);
        return file;
      } catch (error) {
        await file[Symbol.asyncDispose]();
        throw error;
      }
    };
    return { filename, digest: sha256(bytes, filename), url: undefined, file: stored };
  }

  async #extract({ principal, signal }: ToolCall, agent: ExtractorAgent, source: Source): Promise<Result> {
    const fields = { params: agent.params, engine: agent.engine, agentId: agent.reference };
    const { extractor } = this.#deps;
    if (source.document) return extractor.extractStored(principal, { ...fields, document: source.document }, signal);
    await using stored = await source.file();
    const { filename } = source;
    const file = { path: stored.path, filename, extension: readableExtensionOf(filename, extractionExtensions) };
    return await extractor.extractOnly(principal, { ...fields, file }, signal);
  }

  async #start(call: ToolCall, agent: ExtractorAgent, source: Source): Promise<ExtractOutputJson> {
    const { db, operations } = this.#deps;
    if (operations === undefined || call.caller === undefined)
      throw new AppError("forbidden", undefined, { message: "Background work records results, which is not allowed." });
    await admitOperation(operations, call.caller);
    const keepDays = await daysToKeep(db, call.caller, { keep: undefined, ofAgent: agent.keepDays });
    await using stored = await source.file();
    const { filename } = source;
    const { params, engine, wantedPrecision } = agent;
    const request = {
      ...{ filename, params, include: ["evidence"] },
      ...(engine && { engine }),
      ...(keepDays > 0 && { keepDays }),
      ...(wantedPrecision && { wantedPrecision }),
    };
    const file = { path: stored.path };
    const started = { kind: "extraction", agentId: agent.reference, request, callback: undefined, file } as const;
    const extraction = await startOperation(operations, call.caller, started);
    return { status: "started", extraction, values: [], left_off: 0, next_cursor: null };
  }

  async #poll({ caller, links }: ToolCall, extraction: string, offset: number): Promise<ExtractOutputJson> {
    if (caller === undefined) throw new AppError("not_found", undefined, { message: "No such extraction." });
    const outcome = await findOutcome(this.#deps.db, caller, "extraction", extraction);
    if (outcome === undefined) return { status: "started", extraction, values: [], left_off: 0, next_cursor: null };
    if (outcome.status === "error") {
      const code = isErrorCode(outcome.code) ? outcome.code : "extraction_failed";
      throw new AppError(code, undefined, { message: outcome.error });
    }
    const { evidence, failed_rules: failedRules, extraction_id: kept, thread_id: thread } = outcome.metadata;
    const data = (outcome.data[0] ?? {}) as ValueRecord;
    const url = kept === undefined ? undefined : links.extraction(kept);
    const result = { data, evidence: (evidence?.[0] ?? {}) as EvidenceRecord, failedRules, pages: undefined, url };
    return { ...shown(result, offset), extraction, thread };
  }
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);

/** Returns as much of a result as fits into a reply. */
function shown({ pages, url, ...result }: Result, offset: number): ExtractOutputJson {
  const all = flatValues(result);
  const budget = new TokenBudget();
  const values: FlatValue[] = [];
  for (const value of all.slice(offset)) {
    if (!budget.take(value)) break;
    values.push(value);
  }
  const next = offset + values.length;
  const leftOff = Math.max(0, all.length - next);
  return {
    status: "done",
    values,
    ...(result.failedRules && { rules_failed: result.failedRules.length }),
    ...(url !== undefined && { url }),
    ...(pages !== undefined && { pages }),
    left_off: leftOff,
    next_cursor: leftOff > 0 ? String(next) : null,
  };
}
