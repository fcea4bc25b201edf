/** HTTP routes of what extractors have learned. Teaching is a route of kept extractions. */
import { correctionsEndpoints as endpoints } from "@sheaf/contract/corrections.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import * as learning from "./learning.service.ts";

export const learningRoutes = (deps: { db: Db }): AnyRoute[] => [
  route(endpoints.listLearned, async ({ caller, path: { agentReference }, query }) =>
    pageReply(await learning.listLearned(deps, caller, agentReference, pageRequest(query))),
  ),
  route(endpoints.deleteLearned, async ({ caller, path: { agentReference, correctionId } }) => {
    await learning.deleteLearned(deps, caller, agentReference, correctionId);
    return success({ id: correctionId });
  }),
  route(endpoints.deleteAllLearned, async ({ caller, path: { agentReference } }) =>
    success({ removed: await learning.deleteAllLearned(deps, caller, agentReference) }),
  ),
  route(endpoints.exportLearned, async ({ caller, path: { agentReference } }) =>
    success(await learning.exportLearned(deps, caller, agentReference)),
  ),
  route(endpoints.importLearned, async ({ caller, path: { agentReference }, body, keep }) => {
    const reply = (imported: number) => success({ imported });
    return reply(await learning.importLearned(deps, caller, agentReference, body, keep(reply)));
  }),
];
