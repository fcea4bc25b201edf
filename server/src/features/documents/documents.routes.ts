/** HTTP routes of documents. */
import { documentsEndpoints as endpoints } from "@sheaf/contract/documents.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { imageReply, imageRequest, type Pages } from "../pages/pages.service.ts";
import * as uploads from "./document-uploads.service.ts";
import * as documents from "./documents.service.ts";

export const documentsRoutes = (deps: documents.DocumentDeps & { pages: Pages }): AnyRoute[] => [
  route(
    endpoints.uploadDocument,
    async ({ caller, path, body, file, keep }) => {
      const document = { name: body.filename, path: body.path, file, channel: caller.channel };
      const reply = (reference: string) => success({ document_reference: reference, status: "pending" as const });
      return reply(await uploads.addDocument(deps, caller, path.reference, document, keep(reply)));
    },
    { beforeBody: ({ caller, path }) => uploads.admitUpload(deps, caller, path.reference) },
  ),
  route(endpoints.listDocuments, async ({ caller, path, query }) =>
    pageReply(await documents.listDocuments(deps, caller, path.reference, pageRequest(query))),
  ),
  route(endpoints.getDocument, async ({ caller, path }) =>
    success(await documents.getDocument(deps, caller, path.reference, path.documentReference)),
  ),
  route(endpoints.getDocumentPageWords, async ({ caller, path }) => {
    const source = await documents.getPageSource(deps, caller, path.reference, path.documentReference);
    return success(await deps.pages.words(source, path.page));
  }),
  route(endpoints.getDocumentPageImage, async ({ caller, path, query, header, signal }) => {
    const source = await documents.getPageSource(deps, caller, path.reference, path.documentReference);
    const request = imageRequest(path.page, query, header);
    return imageReply(await deps.pages.image(source, request, signal));
  }),
  route(endpoints.deleteDocument, async ({ caller, path }) => {
    await documents.deleteDocument(deps, caller, path.reference, path.documentReference);
    return success({ reference: path.documentReference });
  }),
];
