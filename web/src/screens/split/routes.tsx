import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { shellRoute } from "../../app/shell-route.tsx";

interface SplitSearch {
  /** Id of the classification to show; undefined to start a new one. */
  classification?: string | undefined;
}

const splitRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/split",
  validateSearch: ({ classification }: Record<string, unknown>): SplitSearch => ({
    classification: typeof classification === "string" ? classification || undefined : undefined,
  }),
  component: lazyScreen(() => import("./split-screen.tsx"), "SplitScreen"),
});

export const splitRoutes = [splitRoute] as const;
