import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";

const extractorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractors",
  component: lazyRouteComponent(() => import("./extractors-screen.tsx"), "ExtractorsScreen"),
});

export const extractorsRoutes = [extractorsRoute] as const;
