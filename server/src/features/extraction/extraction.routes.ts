/** HTTP routes of extraction. */
import { extractionEndpoints as endpoints } from "@sheaf/contract/extraction.ts";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import type { Caller } from "../../lib/caller.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { type ExtractorAgent, getExtractor } from "../agents/agent-lookup.service.ts";
import { daysToKeep } from "../kept-extractions/kept-extractions.service.ts";
import { admitOperation, findOutcome, type OperationDeps, startOperation } from "../operations/operations.service.ts";
import { readableExtensionOf } from "../understanding/understanding.service.ts";
import { type Extractor, extractionMetadata } from "./extraction.service.ts";
import type { KeptRequest } from "./run-extraction.job.ts";

export interface ExtractionRouteDeps {
  db: Db;
  extractor: Extractor;
  operations: OperationDeps;
}

/** The fields and settings of an extraction, from the request or from the agent that it names. */
type Schema = Pick<ExtractorAgent, "params" | "engine" | "keepDays" | "wantedPrecision"> & { agentId: string | null };

interface ExtractionCall {
  caller: Caller;
  body: { filename: string; include?: readonly string[]; keep?: boolean };
  /** Path of the stored file. */
  path: string;
  signal: AbortSignal;
}

type Extracted = Awaited<ReturnType<Extractor["extract"]>>;
/** Type of `RouteRequest.keep` for synchronous and asynchronous extraction. */
type KeepExtraction = RouteRequest<typeof endpoints.extract>["keep"];
type KeepStarted = RouteRequest<typeof endpoints.startExtraction>["keep"];

export function extractionRoutes({ db, extractor, operations }: ExtractionRouteDeps): AnyRoute[] {
  const schemaOf = async (caller: Caller, agentReference: string): Promise<Schema> => {
    const { reference, ...settings } = await getExtractor(db, caller, agentReference);
    return { ...settings, agentId: reference };
  };
  const schemaIn = ({ params }: { params: Schema["params"] }): Schema => ({
    params,
    engine: undefined,
    keepDays: undefined,
    wantedPrecision: undefined,
    agentId: null,
  });
  const extract = async ({ caller, body, path, signal }: ExtractionCall, schema: Schema, keep: KeepExtraction) => {
    const { filename, include } = body;
    const extension = readableExtensionOf(filename, extractionExtensions);
    const reply = (result: Extracted) => {
      const metadata = extractionMetadata(filename, result, include);
      return { body: { status: "success" as const, data: [result.data], metadata } };
    };
    const keepDays = await daysToKeep(db, caller, { keep: body.keep, ofAgent: schema.keepDays });
    const input = { file: { path, filename, extension }, ...schema, keepDays };
    return reply(await extractor.extract(caller, input, signal, keep(reply)));
  };
  const start = async (
    { caller, body, path }: Omit<ExtractionCall, "body"> & { body: ExtractionCall["body"] & { callback?: string } },
    { params, engine, agentId, keepDays: ofAgent, wantedPrecision }: Schema,
    keep: KeepStarted,
  ) => {
    const { filename, include, callback } = body;
    const keepDays = await daysToKeep(db, caller, { keep: body.keep, ofAgent });
    const request: KeptRequest = {
      filename,
      params,
      ...(engine && { engine }),
      ...(include && { include }),
      ...(keepDays > 0 && { keepDays }),
      ...(wantedPrecision && { wantedPrecision }),
    };
    const started = { kind: "extraction", agentId, request, callback, file: { path } } as const;
    const reply = (extract_id: string) => ({ body: { status: "started" as const, extract_id } });
    return reply(await startOperation(operations, caller, started, keep(reply)));
  };
  return [
    route(
      endpoints.extract,
      ({ caller, body, file: { path }, signal, keep }) => extract({ caller, body, path, signal }, schemaIn(body), keep),
      {
        beforeBody: async ({ caller }) => {
          extractor.checkRoom(caller);
          return undefined;
        },
      },
    ),
    route(
      endpoints.extractWithAgent,
      async ({ caller, path: { agentReference }, body, file: { path }, signal, keep }) =>
        extract({ caller, body, path, signal }, await schemaOf(caller, agentReference), keep),
      {
        beforeBody: async ({ caller, path }) => {
          await schemaOf(caller, path.agentReference);
          extractor.checkRoom(caller);
          return undefined;
        },
      },
    ),
    route(
      endpoints.startExtraction,
      ({ caller, body, file: { path }, signal, keep }) => start({ caller, body, path, signal }, schemaIn(body), keep),
      {
        beforeBody: async ({ caller }) => {
          await admitOperation(operations, caller);
          return undefined;
        },
      },
    ),
    route(
      endpoints.startExtractionWithAgent,
      async ({ caller, path: { agentReference }, body, file: { path }, signal, keep }) =>
        start({ caller, body, path, signal }, await schemaOf(caller, agentReference), keep),
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
