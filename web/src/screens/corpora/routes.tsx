import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";
import { documentSearch, documentsSearch } from "./search-params.ts";

const corporaRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora",
  component: lazyRouteComponent(() => import("./corpora-screen.tsx"), "CorporaScreen"),
});

const corpusRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/corpora/$reference/documents", params, replace: true });
  },
});

const documentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/documents",
  validateSearch: documentsSearch,
  component: lazyRouteComponent(() => import("./documents-screen.tsx"), "DocumentsScreen"),
});

const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/documents/$documentReference",
  validateSearch: documentSearch,
  component: lazyRouteComponent(() => import("./document-screen.tsx"), "DocumentScreen"),
});

const askRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/ask/{-$threadId}",
  component: lazyRouteComponent(() => import("./ask-screen.tsx"), "AskScreen"),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/settings",
  component: lazyRouteComponent(() => import("./settings-screen.tsx"), "SettingsScreen"),
});

const apiRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/api",
  component: lazyRouteComponent(() => import("./api-screen.tsx"), "ApiScreen"),
});

export const corporaRoutes = [
  corporaRoute,
  corpusRoute,
  documentsRoute,
  documentRoute,
  askRoute,
  settingsRoute,
  apiRoute,
] as const;
