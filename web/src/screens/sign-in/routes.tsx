import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/shell-route.tsx";
import { isOwnPath } from "../../app/sign-on.ts";

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  // `to` is the URL to open after sign-in. Only paths of this application are allowed.
  validateSearch: (search: Record<string, unknown>): { to?: string } => (isOwnPath(search.to) ? { to: search.to } : {}),
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

const signOnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-on/$organizationId",
  component: lazyRouteComponent(() => import("./sign-on-screen.tsx"), "SignOnScreen"),
});

export const signInRoutes = [signInRoute, welcomeRoute, invitationRoute, signOnRoute] as const;
