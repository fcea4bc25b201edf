import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";

const splitRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/split",
  component: lazyRouteComponent(() => import("./split-screen.tsx"), "SplitScreen"),
});

export const splitRoutes = [splitRoute] as const;
