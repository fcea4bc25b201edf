/**
 * All routes. Each screen folder lists its routes in `routes.tsx`. The code of a screen is loaded
 * when it is first visited.
 */
import { createRouter } from "@tanstack/react-router";
import { accountRoutes } from "../screens/account/routes.tsx";
import { assistantsRoutes } from "../screens/assistants/routes.tsx";
import { corporaRoutes } from "../screens/corpora/routes.tsx";
import { extractorsRoutes } from "../screens/extractors/routes.tsx";
import { organizationRoutes } from "../screens/organization/routes.tsx";
import { reviewRoutes } from "../screens/review/routes.tsx";
import { signInRoutes } from "../screens/sign-in/routes.tsx";
import { splitRoutes } from "../screens/split/routes.tsx";
import { startRoutes } from "../screens/start/routes.tsx";
import { Loading } from "../ui/page.tsx";
import { rootRoute, shellRoute } from "./shell-route.tsx";

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  shellRoute.addChildren([
    ...startRoutes,
    ...extractorsRoutes,
    ...reviewRoutes,
    ...corporaRoutes,
    ...splitRoutes,
    ...assistantsRoutes,
    ...organizationRoutes,
    ...accountRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingComponent: () => <Loading />,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
