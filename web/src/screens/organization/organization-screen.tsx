/**
 * Frame that all screens of the organization share. Shows only the tabs that the user's role
 * allows.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { Building2, Lock } from "lucide-react";
import { useIsAdministrator, useMembership } from "../../app/session.ts";
import { Empty, Page } from "../../ui/page.tsx";
import { TabLinks } from "../../ui/tabs.tsx";

export function OrganizationScreen() {
  const { t } = useLingui();
  const membership = useMembership();
  const isAdministrator = useIsAdministrator();
  const { pathname } = useLocation();
  const all = [
    { to: "/organization/members", label: t`Members`, isOpen: false },
    { to: "/organization/groups", label: t`Groups`, isOpen: false },
    { to: "/organization/sign-on", label: t`Sign-on`, isOpen: false },
    { to: "/organization/api", label: t`API`, isOpen: true },
    { to: "/organization/webhooks", label: t`Webhooks`, isOpen: false },
    { to: "/organization/usage", label: t`Usage`, isOpen: true },
    { to: "/organization/audit", label: t`Audit log`, isOpen: false },
    { to: "/organization/settings", label: t`Settings`, isOpen: false },
  ] as const;
  const shown = all.find(({ to }) => pathname.startsWith(to));
  const organization = t`Organization`;
  const title = shown === undefined ? organization : `${shown.label} · ${organization}`;
  if (membership === undefined)
    return (
      <Page title={organization}>
        <Empty icon={<Building2 size={32} strokeWidth={1.5} />} title={t`You do not belong to an organization`}>
          <Trans>Ask an administrator of your organization for an invitation.</Trans>
        </Empty>
      </Page>
    );
  const isDenied = shown !== undefined && !shown.isOpen && !isAdministrator;
  return (
    <Page title={title} heading={organization} description={membership.name}>
      <TabLinks label={organization} tabs={all.filter(({ isOpen }) => isOpen || isAdministrator)} />
      {isDenied ? <Denied /> : <Outlet />}
    </Page>
  );
}

/** Redirects to the first tab that the user's role allows. */
export function FirstTab() {
  const isAdministrator = useIsAdministrator();
  return <Navigate to={isAdministrator ? "/organization/members" : "/organization/api"} replace />;
}

function Denied() {
  const { t } = useLingui();
  return (
    <Empty icon={<Lock size={32} strokeWidth={1.5} />} title={t`Only administrators can open this page`}>
      <Trans>
        Your role in this organization is member. Ask an administrator to make the change, or to change your role.
      </Trans>
    </Empty>
  );
}
