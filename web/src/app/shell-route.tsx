/** Root of all routes, and the layout of those that need a session. */
import { createRootRoute, createRoute, Outlet } from "@tanstack/react-router";
import { NotFound, RouteFailure } from "./route-states.tsx";
import { Shell } from "./shell.tsx";

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: RouteFailure,
});

export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: "shell", component: Shell });
