/** Frame that all screens of one corpus share: its name and the links between the screens. */
import { useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsAdministrator } from "../../app/session.ts";
import { Failure, Loading, Page } from "../../ui/page.tsx";
import { TabLinks } from "../../ui/tabs.tsx";
import { agentQuery } from "./queries.ts";

interface CorpusPageProps {
  reference: string;
  /** Name of the screen for the title of the browser tab. */
  screen: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function CorpusPage({ reference, screen, actions, children }: CorpusPageProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const isAdministrator = useIsAdministrator();
  const { data: corpus, error, refetch, isPending } = useQuery(agentQuery(reference));
  if (isPending) return <Loading />;
  const back = (
    <Link to="/corpora" className="mb-1 flex w-fit items-center gap-1 text-[0.87rem] text-muted hover:text-ink">
      <ChevronLeft size={16} aria-hidden />
      {t`Corpora`}
    </Link>
  );
  if (error !== null) {
    const isGone = error instanceof SheafError && error.status === 404;
    return (
      <Page title={screen}>
        <Failure message={wordsOf(error)} onRetry={isGone ? undefined : () => refetch()} />
        <div className="mt-4">{back}</div>
      </Page>
    );
  }
  const params = { reference };
  const { name } = corpus;
  return (
    <Page wide title={`${screen} · ${name}`} heading={name} back={back} actions={actions}>
      <TabLinks
        label={t`Corpus`}
        tabs={[
          { to: "/corpora/$reference/documents", params, label: t`Documents` },
          { to: "/corpora/$reference/ask/{-$threadId}", params, label: t`Ask` },
          ...(isAdministrator
            ? ([
                { to: "/corpora/$reference/settings", params, label: t`Settings` },
                { to: "/corpora/$reference/api", params, label: t`API` },
              ] as const)
            : []),
        ]}
      />
      {children}
    </Page>
  );
}
