/** The wire of extraction. */

import { type ExtractionMetadataJson, extractionEndpoints as endpoints } from "@sheaf/contract/extraction.ts";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Caller } from "../../lib/caller.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { getExtractor } from "../agents/agents.service.ts";
import { type Extractor, readableExtensionOf } from "./extraction.service.ts";

export interface ExtractionRouteDeps {
  db: Db;
  extractor: Extractor;
}

export const extractionRoutes = ({ db, extractor }: ExtractionRouteDeps): AnyRoute[] => [
  route(endpoints.extract, ({ caller, body, file, signal }) =>
    extract(extractor, caller, { body, path: file.path, params: body.params, agentId: null }, signal),
  ),
  route(
    endpoints.extractWithAgent,
    async ({ caller, path, body, file, signal }) => {
      const { reference, params } = await getExtractor(db, caller, path.agentReference);
      return extract(extractor, caller, { body, path: file.path, params, agentId: reference }, signal);
    },
    {
      beforeBody: async ({ caller, path }) => {
        await getExtractor(db, caller, path.agentReference);
        return undefined;
      },
    },
  ),
];

interface ExtractionCall {
  body: { filename: string; include?: readonly string[] };
  /** Where the file is. */
  path: string;
  params: ExtractionParam[];
  agentId: string | null;
}

async function extract(
  extractor: Extractor,
  caller: Caller,
  { body, path, params, agentId }: ExtractionCall,
  signal: AbortSignal,
) {
  const { filename, include = [] } = body;
  const extension = readableExtensionOf(filename, extractionExtensions);
  const result = await extractor.extract(caller, { file: { path, filename, extension }, params, agentId }, signal);
  const metadata: ExtractionMetadataJson = {
    filename,
    duration: result.durationSeconds,
    tokens_consumed: result.tokens,
    thread_id: result.threadId,
    ...(include.includes("evidence") ? { evidence: [result.evidence] } : {}),
  };
  return { body: { status: "success" as const, data: [result.data], metadata } };
}
