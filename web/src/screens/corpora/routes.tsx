import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";

const corporaRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora",
  component: lazyRouteComponent(() => import("./corpora-screen.tsx"), "CorporaScreen"),
});

export const corporaRoutes = [corporaRoute] as const;
