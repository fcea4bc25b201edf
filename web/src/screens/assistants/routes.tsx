import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";

const assistantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/assistants",
  component: lazyRouteComponent(() => import("./assistants-screen.tsx"), "AssistantsScreen"),
});

export const assistantsRoutes = [assistantsRoute] as const;
