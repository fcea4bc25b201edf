import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { shellRoute } from "../../app/shell-route.tsx";

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/account",
  component: lazyScreen(() => import("./account-screen.tsx"), "AccountScreen"),
});

export const accountRoutes = [accountRoute] as const;
