/** The wire of classification. */
import {
  type ClassificationFailureJson,
  type ClassificationSuccessJson,
  classificationEndpoints as endpoints,
} from "@sheaf/contract/classification.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import { admitOperation, findOutcome, type OperationDeps } from "../operations/operations.service.ts";
import { startClassification } from "./run-classification.job.ts";

export const classificationRoutes = (operations: OperationDeps): AnyRoute[] => [
  route(
    endpoints.startClassification,
    async ({ caller, body: { filename, classes = [], mode = "auto", callback }, file: { path } }) => {
      const request = { filename, classes, mode };
      const classification_id = await startClassification(operations, caller, { request, callback, file: { path } });
      return { body: { status: "started" as const, classification_id } };
    },
    {
      beforeBody: async ({ caller }) => {
        await admitOperation(operations, caller);
        return undefined;
      },
    },
  ),
  route(endpoints.getClassification, async ({ caller, path: { classification_id } }) => {
    const outcome = await findOutcome(operations.db, caller, "classification", classification_id);
    const ended = outcome as ClassificationSuccessJson | ClassificationFailureJson | undefined;
    return { body: ended ?? { status: "started" as const, classification_id } };
  }),
];
