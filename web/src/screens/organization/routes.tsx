import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../app/lazy-screen.ts";
import { shellRoute } from "../../app/shell-route.tsx";
import { apiSearch, auditSearch, groupsSearch, membersSearch, webhooksSearch } from "./organization-search.ts";

const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organization",
  component: lazyScreen(() => import("./organization-screen.tsx"), "OrganizationScreen"),
});

const indexRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  component: lazyScreen(() => import("./organization-screen.tsx"), "FirstTab"),
});

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "members",
  validateSearch: membersSearch,
  component: lazyScreen(() => import("./members-tab.tsx"), "MembersTab"),
});

const groupsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "groups",
  validateSearch: groupsSearch,
  component: lazyScreen(() => import("./groups-tab.tsx"), "GroupsTab"),
});

const signOnRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "sign-on",
  component: lazyScreen(() => import("./sign-on-tab.tsx"), "SignOnTab"),
});

const apiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "api",
  validateSearch: apiSearch,
  component: lazyScreen(() => import("./api-tab.tsx"), "ApiTab"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "webhooks",
  validateSearch: webhooksSearch,
  component: lazyScreen(() => import("./webhooks-tab.tsx"), "WebhooksTab"),
});

const usageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "usage",
  component: lazyScreen(() => import("./usage-tab.tsx"), "UsageTab"),
});

const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "audit",
  validateSearch: auditSearch,
  component: lazyScreen(() => import("./audit-tab.tsx"), "AuditTab"),
});

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "settings",
  component: lazyScreen(() => import("./settings-tab.tsx"), "SettingsTab"),
});

export const organizationRoutes = [
  organizationRoute.addChildren([
    indexRoute,
    membersRoute,
    groupsRoute,
    signOnRoute,
    apiRoute,
    webhooksRoute,
    usageRoute,
    auditRoute,
    settingsRoute,
  ]),
] as const;
