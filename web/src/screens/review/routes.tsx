import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";

const reviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractions/$id",
  component: lazyRouteComponent(() => import("./review-screen.tsx"), "ReviewScreen"),
});

export const reviewRoutes = [reviewRoute] as const;
