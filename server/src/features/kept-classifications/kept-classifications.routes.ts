/** HTTP routes of kept classifications. */
import { keptClassificationsEndpoints as endpoints } from "@sheaf/contract/kept-classifications.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { downloadHeaders } from "../kept-files/kept-files.service.ts";
import { imageReply, imageRequest, type Pages } from "../pages/pages.service.ts";
import * as kept from "./kept-classifications.service.ts";

export const keptClassificationsRoutes = (deps: kept.KeptClassificationDeps & { pages: Pages }): AnyRoute[] => [
  route(endpoints.listKeptClassifications, async ({ caller, query }) =>
    pageReply(await kept.listKeptClassifications(deps, caller, pageRequest(query))),
  ),
  route(endpoints.getKeptClassification, async ({ caller, path: { classificationId } }) =>
    success(await kept.getKeptClassification(deps, caller, classificationId)),
  ),
  route(endpoints.putClassificationSegments, async ({ caller, path: { classificationId }, body }) =>
    success(await kept.putSegments(deps, caller, classificationId, body)),
  ),
  route(endpoints.deleteKeptClassification, async ({ caller, path: { classificationId } }) => {
    await kept.deleteKeptClassification(deps, caller, classificationId);
    return success({ id: classificationId });
  }),
  route(endpoints.getKeptClassificationFile, async ({ caller, path: { classificationId } }) => {
    const download = await kept.openKeptFile(deps, caller, classificationId);
    return { body: download.bytes, headers: downloadHeaders(download) };
  }),
  route(
    endpoints.getClassificationSegmentFile,
    async ({ caller, path: { classificationId, segmentIndex }, signal }) => {
      const { source, range, filename } = await kept.getSegmentSource(deps, caller, classificationId, segmentIndex);
      const body = await deps.pages.copy(source, range, signal);
      return { body, headers: downloadHeaders({ filename, size: body.length }) };
    },
  ),
  route(endpoints.getKeptClassificationPageWords, async ({ caller, path: { classificationId, page } }) => {
    const source = await kept.getPageSource(deps, caller, classificationId);
    return success(await deps.pages.words(source, page));
  }),
  route(
    endpoints.getKeptClassificationPageImage,
    async ({ caller, path: { classificationId, page }, query, header, signal }) => {
      const source = await kept.getPageSource(deps, caller, classificationId);
      return imageReply(await deps.pages.image(source, imageRequest(page, query, header), signal));
    },
  ),
];
