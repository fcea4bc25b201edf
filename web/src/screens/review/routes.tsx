import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { shellRoute } from "../../app/shell-route.tsx";
import type { SortOrder } from "./field-order.ts";
import type { ReviewStatus } from "./kept-extraction.ts";

/** Filter of the list of extractions. The workbench uses the same filter for its queue. */
export interface QueueSearch {
  agent?: string;
  status?: ReviewStatus | "all";
}

interface ReviewSearch extends QueueSearch {
  /** Path of the selected value. */
  field?: string;
  sort?: SortOrder;
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function queueSearch({ agent, status }: Record<string, unknown>): QueueSearch {
  const chosen = textOf(agent);
  return {
    ...(chosen !== undefined && { agent: chosen }),
    ...((status === "reviewed" || status === "all") && { status }),
  };
}

const extractionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractions",
  validateSearch: queueSearch,
  component: lazyScreen(() => import("./extractions-screen.tsx"), "ExtractionsScreen"),
});

const reviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractions/$id",
  validateSearch: (search: Record<string, unknown>): ReviewSearch => {
    const field = textOf(search.field);
    return {
      ...queueSearch(search),
      ...(field !== undefined && { field }),
      ...(search.sort === "confidence" && { sort: "confidence" }),
    };
  },
  component: lazyScreen(() => import("./review-screen.tsx"), "ReviewScreen"),
});

export const reviewRoutes = [extractionsRoute, reviewRoute] as const;
