import { createRoute, redirect } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { shellRoute } from "../../app/shell-route.tsx";

const assistantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/assistants",
  component: lazyScreen(() => import("./assistants-screen.tsx"), "AssistantsScreen"),
});

const assistantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/assistants/$reference",
  beforeLoad: ({ params }) => {
    throw redirect({
      to: "/assistants/$reference/ask/{-$threadId}",
      params: { ...params, threadId: undefined },
      replace: true,
    });
  },
});

const askRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/assistants/$reference/ask/{-$threadId}",
  component: lazyScreen(() => import("./assistant-ask-screen.tsx"), "AssistantAskScreen"),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/assistants/$reference/settings",
  component: lazyScreen(() => import("./assistant-settings-screen.tsx"), "AssistantSettingsScreen"),
});

export const assistantsRoutes = [assistantsRoute, assistantRoute, askRoute, settingsRoute] as const;
