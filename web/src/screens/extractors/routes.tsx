import { createRoute, redirect } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { shellRoute } from "../../app/shell-route.tsx";
import { type RunState, runStates } from "./runs/run-states.ts";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const extractorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractors",
  // `create` opens the dialog that creates an extractor. It is the name of a template, or "empty".
  validateSearch: (search: Record<string, unknown>): { create?: string; q?: string } => {
    const create = text(search.create);
    const q = text(search.q);
    return { ...(create !== undefined && { create }), ...(q !== undefined && { q }) };
  },
  component: lazyScreen(() => import("./gallery/extractors-screen.tsx"), "ExtractorsScreen"),
});

const extractorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/extractors/$reference",
  component: lazyScreen(() => import("./extractor-screen.tsx"), "ExtractorScreen"),
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
  component: lazyScreen(() => import("./fields/fields-screen.tsx"), "FieldsScreen"),
});

const tryRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "try",
  // `extraction` is the id of the kept result to show, `value` the path of the value to select.
  validateSearch: (search: Record<string, unknown>): { extraction?: string; value?: string } => {
    const extraction = text(search.extraction);
    const value = text(search.value);
    return { ...(extraction !== undefined && { extraction }), ...(value !== undefined && { value }) };
  },
  component: lazyScreen(() => import("./try/try-screen.tsx"), "TryScreen"),
});

const runsRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "runs",
  validateSearch: (search: Record<string, unknown>): { state?: RunState; q?: string } => {
    const state = runStates.find((each) => each === search.state);
    const q = text(search.q);
    return { ...(state !== undefined && { state }), ...(q !== undefined && { q }) };
  },
  component: lazyScreen(() => import("./runs/runs-screen.tsx"), "RunsScreen"),
});

const learnedRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "learned",
  component: lazyScreen(() => import("./learned/learned-screen.tsx"), "LearnedScreen"),
});

const qualityRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "quality",
  component: lazyScreen(() => import("./quality/quality-screen.tsx"), "QualityScreen"),
});

const apiRoute = createRoute({
  getParentRoute: () => extractorRoute,
  path: "api",
  component: lazyScreen(() => import("./api/api-screen.tsx"), "ApiScreen"),
});

export const extractorsRoutes = [
  extractorsRoute,
  extractorRoute.addChildren([
    extractorIndexRoute,
    fieldsRoute,
    tryRoute,
    runsRoute,
    learnedRoute,
    qualityRoute,
    apiRoute,
  ]),
] as const;
