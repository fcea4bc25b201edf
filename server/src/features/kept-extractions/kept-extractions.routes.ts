/** HTTP routes of kept extractions. */

import { correctionsEndpoints } from "@sheaf/contract/corrections.ts";
import {
  keptExtractionsEndpoints as endpoints,
  type ReviewStatus,
  reviewStatuses,
} from "@sheaf/contract/kept-extractions.ts";
import { AppError } from "../../lib/errors.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, type RouteRequest, route, success } from "../../lib/route.ts";
import { downloadHeaders } from "../kept-files/kept-files.service.ts";
import { imageReply, imageRequest, type Pages } from "../pages/pages.service.ts";
import type { KeptFilter } from "./kept-extractions.repo.ts";
import * as kept from "./kept-extractions.service.ts";
import { type TeachingDeps, teachExtractor } from "./teach-extractor.ts";

export const keptExtractionsRoutes = (deps: kept.KeptExtractionDeps & TeachingDeps & { pages: Pages }): AnyRoute[] => [
  route(endpoints.listKeptExtractions, async ({ caller, query }) =>
    pageReply(await kept.listKeptExtractions(deps, caller, filterOf(query), pageRequest(query))),
  ),
  route(endpoints.getKeptExtraction, async ({ caller, path: { extractionId } }) =>
    success(await kept.getKeptExtraction(deps, caller, extractionId)),
  ),
  route(endpoints.deleteKeptExtraction, async ({ caller, path: { extractionId } }) => {
    await kept.deleteKeptExtraction(deps, caller, extractionId);
    return success({ id: extractionId });
  }),
  route(endpoints.getKeptExtractionFile, async ({ caller, path: { extractionId } }) => {
    const download = await kept.openKeptFile(deps, caller, extractionId);
    return { body: download.bytes, headers: downloadHeaders(download) };
  }),
  route(endpoints.getKeptExtractionPageWords, async ({ caller, path: { extractionId, page } }) => {
    const source = await kept.getPageSource(deps, caller, extractionId);
    return success(await deps.pages.words(source, page));
  }),
  route(
    endpoints.getKeptExtractionPageImage,
    async ({ caller, path: { extractionId, page }, query, header, signal }) => {
      const source = await kept.getPageSource(deps, caller, extractionId);
      return imageReply(await deps.pages.image(source, imageRequest(page, query, header), signal));
    },
  ),
  route(endpoints.putExtractionCorrections, async ({ caller, path: { extractionId }, body }) =>
    success(await kept.putCorrections(deps, caller, extractionId, body)),
  ),
  route(correctionsEndpoints.teachExtractor, async ({ caller, path: { agentReference }, body, keep }) =>
    success(await teachExtractor(deps, caller, agentReference, body, keep(success))),
  ),
  route(endpoints.updateKeptExtraction, async ({ caller, path: { extractionId }, body }) =>
    success(await kept.updateKeptExtraction(deps, caller, extractionId, body)),
  ),
];

function filterOf({ agent, status, needs_review }: RouteRequest["query"]): KeptFilter {
  if (Array.isArray(agent)) throw refusal("/agent", "must occur only once");
  if (status !== undefined && !isStatus(status))
    throw refusal("/status", `must be one of ${reviewStatuses.join(", ")}`);
  if (needs_review !== undefined && needs_review !== "true" && needs_review !== "false")
    throw refusal("/needs_review", "must be true or false");
  return {
    agent: agent?.toLowerCase(),
    status,
    needsReview: needs_review === undefined ? undefined : needs_review === "true",
  };
}

const isStatus = (value: string | string[]): value is ReviewStatus => reviewStatuses.some((each) => each === value);

const refusal = (path: string, message: string) => new AppError("invalid_request", { issues: [{ path, message }] });
