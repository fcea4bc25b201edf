import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../app/shell-route.tsx";
import { apiSearch, auditSearch, groupsSearch, membersSearch, webhooksSearch } from "./organization-search.ts";

const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organization",
  component: lazyRouteComponent(() => import("./organization-screen.tsx"), "OrganizationScreen"),
});

const indexRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./organization-screen.tsx"), "FirstTab"),
});

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "members",
  validateSearch: membersSearch,
  component: lazyRouteComponent(() => import("./members-tab.tsx"), "MembersTab"),
});

const groupsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "groups",
  validateSearch: groupsSearch,
  component: lazyRouteComponent(() => import("./groups-tab.tsx"), "GroupsTab"),
});

const apiRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "api",
  validateSearch: apiSearch,
  component: lazyRouteComponent(() => import("./api-tab.tsx"), "ApiTab"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "webhooks",
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import("./webhooks-tab.tsx"), "WebhooksTab"),
});

const usageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "usage",
  component: lazyRouteComponent(() => import("./usage-tab.tsx"), "UsageTab"),
});

const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./audit-tab.tsx"), "AuditTab"),
});

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "settings",
  component: lazyRouteComponent(() => import("./settings-tab.tsx"), "SettingsTab"),
});

export const organizationRoutes = [
  organizationRoute.addChildren([
    indexRoute,
    membersRoute,
    groupsRoute,
    apiRoute,
    webhooksRoute,
    usageRoute,
    auditRoute,
    settingsRoute,
  ]),
] as const;
