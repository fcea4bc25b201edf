/** HTTP routes that report the quality of extractors. */
import { coverageEndpoints } from "@sheaf/contract/coverage.ts";
import { evaluationEndpoints as endpoints } from "@sheaf/contract/evaluation.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { getCoverage } from "./coverage.service.ts";
import type { Evaluator } from "./evaluation.service.ts";

export const qualityRoutes = ({ db, evaluator }: { db: Db; evaluator: Evaluator }): AnyRoute[] => [
  route(endpoints.evaluateExtractor, async ({ caller, path: { agentReference }, body, signal, keep }) =>
    success(await evaluator.evaluate(caller, agentReference, body, signal, keep(success))),
  ),
  route(coverageEndpoints.getExtractorCoverage, async ({ caller, path: { agentReference } }) =>
    success(await getCoverage(db, caller, agentReference)),
  ),
];
