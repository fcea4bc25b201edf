/**
 * The frame of all screens that need a session: navigation, account menu, and a sign-in form when
 * the session ends.
 */
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Session } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import {
  BookOpen,
  Building2,
  FileSearch,
  House,
  Library,
  ListChecks,
  Menu as MenuIcon,
  Scissors,
  UserRound,
  X,
} from "lucide-react";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Loading } from "../ui/page.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { useLiveStates } from "./live-states.ts";
import { sessionQuery } from "./queries.ts";
import { NoMembership } from "./route-states.tsx";
import { SessionContext } from "./session.ts";
import { SignInDialog } from "./sign-in-dialog.tsx";
import { UploadIndicator } from "./upload-indicator.tsx";

export function Shell() {
  const { data: session } = useQuery(sessionQuery);
  const lastSession = useRef<Session>(undefined);
  if (session) lastSession.current = session;
  // The screen stays mounted behind the sign-in form, so that typed text is kept while the user
  // signs in again.
  const shown = session ?? lastSession.current;
  const { pathname } = useLocation();
  const isMember = shown?.organizations.some(({ organization_id }) => organization_id === shown.organization_id);
  useLiveStates(session && isMember ? `${session.user.id} ${session.organization_id}` : undefined);
  if (shown === undefined) return <Loading />;
  return (
    <SessionContext value={shown}>
      <Frame key={`${shown.user.id} ${shown.organization_id}`}>
        <Suspense fallback={<Loading />}>
          {isMember || pathname === "/account" ? <Outlet /> : <NoMembership />}
        </Suspense>
      </Frame>
      {session === null && <SignInDialog session={shown} />}
    </SessionContext>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the screen changes
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_1fr]">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        <Trans>Skip to content</Trans>
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-surface lg:flex">
        <Navigation />
      </aside>
      <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-surface px-2 py-1.5 lg:hidden">
        <BaseDialog.Root open={isOpen} onOpenChange={setOpen}>
          <BaseDialog.Trigger aria-label={t`Open navigation`} className="rounded-md p-2.5 hover:bg-sunken">
            <MenuIcon size={20} aria-hidden />
          </BaseDialog.Trigger>
          <BaseDialog.Portal>
            <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
            <BaseDialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col bg-surface shadow-2xl">
              <BaseDialog.Title className="sr-only">
                <Trans>Navigation</Trans>
              </BaseDialog.Title>
              <BaseDialog.Close
                aria-label={t`Close`}
                className="absolute top-2.5 right-2 rounded-md p-2 hover:bg-sunken"
              >
                <X size={18} aria-hidden />
              </BaseDialog.Close>
              <Navigation />
            </BaseDialog.Popup>
          </BaseDialog.Portal>
        </BaseDialog.Root>
        <Brand />
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        {children}
      </main>
    </div>
  );
}

const Brand = () => (
  <Link to="/" className="flex items-center gap-2.5 rounded-md px-2 py-1 text-lg font-semibold">
    <img src="/sheaf.svg" alt="" className="size-7" />
    Sheaf
  </Link>
);

function Navigation() {
  const { t } = useLingui();
  const items = [
    { to: "/", label: t`Start`, icon: House, exact: true },
    { to: "/extractors", label: t`Extractors`, icon: FileSearch },
    { to: "/extractions", label: t`Review`, icon: ListChecks },
    { to: "/corpora", label: t`Corpora`, icon: Library },
    { to: "/split", label: t`Split and classify`, icon: Scissors },
    { to: "/assistants", label: t`My assistants`, icon: UserRound },
    { to: "/organization", label: t`Organization`, icon: Building2 },
  ] as const;
  return (
    <>
      <div className="px-3 pt-4 pb-3">
        <Brand />
      </div>
      <nav aria-label={t`Main`} className="grow overflow-y-auto px-3">
        <ul className="flex flex-col gap-0.5">
          {items.map(({ to, label, icon: Icon, ...rest }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: "exact" in rest }}
                className="flex items-center gap-3 rounded-md px-3 py-2 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
              >
                <Icon size={18} aria-hidden className="shrink-0" />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <UploadIndicator />
      <div className="border-t border-line p-3">
        {/* In a tab of its own, because leaving the application would end uploads. */}
        <a
          href="/docs/"
          target="_blank"
          rel="noreferrer"
          className="mb-1 flex items-center gap-3 rounded-md px-3 py-2 text-muted hover:bg-sunken hover:text-ink"
        >
          <BookOpen size={18} aria-hidden className="shrink-0" />
          <Trans>Documentation</Trans>
        </a>
        <AccountMenu />
      </div>
    </>
  );
}
