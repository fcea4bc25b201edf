import { createRoute, redirect } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { shellRoute } from "../../app/shell-route.tsx";
import { documentSearch, documentsSearch } from "./search-params.ts";

const corporaRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora",
  component: lazyScreen(() => import("./corpora-screen.tsx"), "CorporaScreen"),
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
  component: lazyScreen(() => import("./documents-screen.tsx"), "DocumentsScreen"),
});

const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/documents/$documentReference",
  validateSearch: documentSearch,
  component: lazyScreen(() => import("./document-screen.tsx"), "DocumentScreen"),
});

const askRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/ask/{-$threadId}",
  component: lazyScreen(() => import("./ask-screen.tsx"), "AskScreen"),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/settings",
  component: lazyScreen(() => import("./settings-screen.tsx"), "SettingsScreen"),
});

const apiRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/corpora/$reference/api",
  component: lazyScreen(() => import("./api-screen.tsx"), "ApiScreen"),
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
