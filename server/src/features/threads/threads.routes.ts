/** HTTP routes of threads. */
import type { CitationJson } from "@sheaf/contract/knowledge.ts";
import { threadsEndpoints as endpoints } from "@sheaf/contract/threads.ts";
import { AppError } from "../../lib/errors.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, type RouteRequest, route, success } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { getConversationalist, showsCitation } from "../agents/agent-lookup.service.ts";
import { getThread, listThreads, updateThread } from "./threads.service.ts";

export const threadsRoutes = ({ db }: { db: Db }): AnyRoute[] => [
  route(endpoints.listThreads, async ({ caller, path, query }) => {
    const archived = isArchived(query);
    const page = pageRequest(query);
    const { reference } = await getConversationalist(db, caller, path.reference);
    return pageReply(await listThreads(db, caller, reference, archived, page));
  }),
  route(endpoints.getThread, async ({ caller, path }) => {
    const agent = await getConversationalist(db, caller, path.reference);
    const isShown = (citation: CitationJson) => showsCitation(agent, citation);
    return success(await getThread(db, caller, agent.reference, path.threadId, isShown));
  }),
  route(endpoints.updateThread, async ({ caller, path, body }) => {
    const { reference } = await getConversationalist(db, caller, path.reference);
    return success(await updateThread(db, caller, reference, path.threadId, body));
  }),
];

function isArchived({ archived = "false" }: RouteRequest["query"]): boolean {
  if (archived === "true" || archived === "false") return archived === "true";
  throw new AppError("invalid_request", { issues: [{ path: "/archived", message: "must be true or false" }] });
}
