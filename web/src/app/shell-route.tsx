/** Root of all routes, and the layout of those that need a session. */
import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { queryClient, sessionQuery } from "./queries.ts";
import { NotFound, RouteFailure } from "./route-states.tsx";
import { Shell } from "./shell.tsx";

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: RouteFailure,
});

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
  },
  component: Shell,
});
