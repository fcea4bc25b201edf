import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";

const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organization",
  component: lazyRouteComponent(() => import("./organization-screen.tsx"), "OrganizationScreen"),
});

export const organizationRoutes = [organizationRoute] as const;
