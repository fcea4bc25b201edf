/** The wire of extraction. */

import { type ExtractionMetadataJson, extractionEndpoints as endpoints } from "@sheaf/contract/extraction.ts";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { getExtractor } from "../agents/agents.service.ts";
import { type ExtractionResult, type Extractor, readableExtensionOf } from "./extraction.service.ts";

export interface ExtractionRouteDeps {
  db: Db;
  extractor: Extractor;
}

export const extractionRoutes = ({ db, extractor }: ExtractionRouteDeps): AnyRoute[] => [
  route(endpoints.extract, async ({ caller, body, file, signal }) => {
    const { filename, params, include } = body;
    const extension = readableExtensionOf(filename, extractionExtensions);
    const input = { file: { path: file.path, filename, extension }, params, agentId: null };
    return resultReply(filename, await extractor.extract(caller, input, signal), include);
  }),
  route(
    endpoints.extractWithAgent,
    async ({ caller, path, body, file, signal }) => {
      const { filename, include } = body;
      const extension = readableExtensionOf(filename, extractionExtensions);
      const { reference, params } = await getExtractor(db, caller, path.agentReference);
      const input = { file: { path: file.path, filename, extension }, params, agentId: reference };
      return resultReply(filename, await extractor.extract(caller, input, signal), include);
    },
    {
      beforeBody: async ({ caller, path }) => {
        await getExtractor(db, caller, path.agentReference);
      },
    },
  ),
];

function resultReply(filename: string, result: ExtractionResult, include: readonly string[] = []) {
  const metadata: ExtractionMetadataJson = {
    filename,
    duration: result.durationSeconds,
    tokens_consumed: result.tokens,
    thread_id: result.threadId,
    ...(include.includes("evidence") ? { evidence: [result.evidence] } : {}),
  };
  return { body: { status: "success" as const, data: [result.data], metadata } };
}
