import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const extractorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractors",
  // `create` is the key of a template, or "empty": the dialog that creates an extractor is open.
  validateSearch: (search: Record<string, unknown>): { create?: string; q?: string } => {
    const create = text(search.create);
    const q = text(search.q);
    return { ...(create !== undefined && { create }), ...(q !== undefined && { q }) };
  },
  component: lazyRouteComponent(() => import("./gallery/extractors-screen.tsx"), "ExtractorsScreen"),
});

const extractorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractors/$reference",
  component: lazyRouteComponent(() => import("./extractor-screen.tsx"), "ExtractorScreen"),
});

const extractorIndexRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/extractors/$reference/fields", params, replace: true });
  },
});

const fieldsRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "fields",
  component: lazyRouteComponent(() => import("./fields/fields-screen.tsx"), "FieldsScreen"),
});

const tryRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "try",
  component: lazyRouteComponent(() => import("./try/try-screen.tsx"), "TryScreen"),
});

const apiRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "api",
  component: lazyRouteComponent(() => import("./api/api-screen.tsx"), "ApiScreen"),
});

export const extractorsRoutes = [
  extractorsRoute,
  extractorRoute.addChildren([extractorIndexRoute, fieldsRoute, tryRoute, apiRoute]),
] as const;
