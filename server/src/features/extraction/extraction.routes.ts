/** The wire of extraction. */
import { extractionEndpoints as endpoints } from "@sheaf/contract/extraction.ts";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import type { Caller } from "../../lib/caller.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { type ExtractorAgent, getExtractor } from "../agents/agents.service.ts";
import { admitOperation, findOutcome, type OperationDeps, startOperation } from "../operations/operations.service.ts";
import { readableExtensionOf } from "../understanding/understanding.service.ts";
import { type Extractor, extractionMetadata } from "./extraction.service.ts";
import type { KeptRequest } from "./run-extraction.job.ts";

export interface ExtractionRouteDeps {
  db: Db;
  extractor: Extractor;
  operations: OperationDeps;
}

/** The params of a request, or of the agent that it names. */
type Schema = Pick<ExtractorAgent, "params" | "engine"> & { agentId: string | null };

interface ExtractionCall {
  caller: Caller;
  body: { filename: string; include?: readonly string[] };
  /** Where the file is. */
  path: string;
  signal: AbortSignal;
}

export function extractionRoutes({ db, extractor, operations }: ExtractionRouteDeps): AnyRoute[] {
  const schemaOf = async (caller: Caller, agentReference: string): Promise<Schema> => {
    const { reference, params, engine } = await getExtractor(db, caller, agentReference);
    return { params, engine, agentId: reference };
  };
  const extract = async ({ caller, body, path, signal }: ExtractionCall, schema: Schema) => {
    const { filename, include } = body;
    const extension = readableExtensionOf(filename, extractionExtensions);
    const result = await extractor.extract(caller, { file: { path, filename, extension }, ...schema }, signal);
    const metadata = extractionMetadata(filename, result, include);
    return { body: { status: "success" as const, data: [result.data], metadata } };
  };
  const start = async (
    { caller, body, path }: Omit<ExtractionCall, "body"> & { body: ExtractionCall["body"] & { callback: string } },
    { params, engine, agentId }: Schema,
  ) => {
    const { filename, include, callback } = body;
    const request: KeptRequest = { filename, params, ...(engine && { engine }), ...(include && { include }) };
    const started = { kind: "extraction", agentId, request, callback, file: { path } } as const;
    const extract_id = await startOperation(operations, caller, started);
    return { body: { status: "started" as const, extract_id } };
  };
  return [
    route(endpoints.extract, ({ caller, body, file: { path }, signal }) =>
      extract({ caller, body, path, signal }, { params: body.params, engine: undefined, agentId: null }),
    ),
    route(
      endpoints.extractWithAgent,
      async ({ caller, path: { agentReference }, body, file: { path }, signal }) =>
        extract({ caller, body, path, signal }, await schemaOf(caller, agentReference)),
      {
        beforeBody: async ({ caller, path }) => {
          await schemaOf(caller, path.agentReference);
          return undefined;
        },
      },
    ),
    route(
      endpoints.startExtraction,
      ({ caller, body, file: { path }, signal }) =>
        start({ caller, body, path, signal }, { params: body.params, engine: undefined, agentId: null }),
      {
        beforeBody: async ({ caller }) => {
          await admitOperation(operations, caller);
          return undefined;
        },
      },
    ),
    route(
      endpoints.startExtractionWithAgent,
      async ({ caller, path: { agentReference }, body, file: { path }, signal }) =>
        start({ caller, body, path, signal }, await schemaOf(caller, agentReference)),
      {
        beforeBody: async ({ caller, path }) => {
          await schemaOf(caller, path.agentReference);
          await admitOperation(operations, caller);
          return undefined;
        },
      },
    ),
    route(endpoints.getExtraction, async ({ caller, path: { extract_id } }) => {
      const ended = await findOutcome(db, caller, "extraction", extract_id);
      return { body: ended ?? { status: "started" as const, extract_id } };
    }),
  ];
}
