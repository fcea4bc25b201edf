/** HTTP routes of classification. */
import { classificationEndpoints as endpoints } from "@sheaf/contract/classification.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import { daysToKeep } from "../kept-extractions/kept-extractions.service.ts";
import { admitOperation, findOutcome, type OperationDeps, startOperation } from "../operations/operations.service.ts";
import type { KeptRequest } from "./run-classification.job.ts";

export const classificationRoutes = (operations: OperationDeps): AnyRoute[] => [
  route(
    endpoints.startClassification,
    async ({
      caller,
      body: { filename, classes = [], mode = "auto", callback, keep: isKept },
      file: { path },
      keep,
    }) => {
      const days = await daysToKeep(operations.db, caller, { keep: isKept, ofAgent: undefined });
      const request: KeptRequest = { filename, classes, mode, ...(days > 0 && { keepDays: days }) };
      const started = { kind: "classification", agentId: null, request, callback, file: { path } } as const;
      const reply = (classification_id: string) => ({ body: { status: "started" as const, classification_id } });
      return reply(await startOperation(operations, caller, started, keep(reply)));
    },
    {
      beforeBody: async ({ caller }) => {
        await admitOperation(operations, caller);
        return undefined;
      },
    },
  ),
  route(endpoints.getClassification, async ({ caller, path: { classification_id } }) => {
    const ended = await findOutcome(operations.db, caller, "classification", classification_id);
    return { body: ended ?? { status: "started" as const, classification_id } };
  }),
];
