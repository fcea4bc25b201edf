import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/shell-route.tsx";

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  // `to` is the URL to open after sign-in. Only paths of this application are allowed.
  validateSearch: (search: Record<string, unknown>): { to?: string } =>
    typeof search.to === "string" && /^\/(?![/\\])/.test(search.to) ? { to: search.to } : {},
  component: lazyRouteComponent(() => import("./sign-in-screen.tsx"), "SignInScreen"),
});

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./welcome-screen.tsx"), "WelcomeScreen"),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitation",
  component: lazyRouteComponent(() => import("./invitation-screen.tsx"), "InvitationScreen"),
});

export const signInRoutes = [signInRoute, welcomeRoute, invitationRoute] as const;
