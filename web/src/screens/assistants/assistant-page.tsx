/** Frame that all screens of one assistant share. */
import { useLingui } from "@lingui/react/macro";
import type { Agent } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { Failure, Loading, Page } from "../../ui/page.tsx";
import { TabLinks } from "../../ui/tabs.tsx";
import { agentQuery } from "../corpora/queries.ts";

interface AssistantPageProps {
  reference: string;
  /** Name of the screen for the title of the browser tab. */
  screen: string;
  children: (assistant: Agent) => ReactNode;
}

export function AssistantPage({ reference, screen, children }: AssistantPageProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { data: assistant, error, refetch } = useQuery(agentQuery(reference));
  if (assistant === undefined)
    return error === null ? (
      <Loading />
    ) : (
      <Page title={screen}>
        <Failure message={wordsOf(error)} onRetry={() => refetch()} />
      </Page>
    );
  const { name } = assistant;
  const params = { reference };
  return (
    <Page
      wide
      title={`${screen} · ${name}`}
      heading={
        <>
          <Link
            to="/assistants"
            className="mb-1 flex w-fit items-center gap-1 text-[0.87rem] font-normal text-muted hover:text-ink"
          >
            <ChevronLeft size={16} aria-hidden />
            {t`My assistants`}
          </Link>
          {name}
        </>
      }
    >
      <TabLinks
        label={t`Assistant`}
        tabs={[
          { to: "/assistants/$reference/ask/{-$threadId}", params, label: t`Ask` },
          { to: "/assistants/$reference/settings", params, label: t`Settings` },
        ]}
      />
      {children(assistant)}
    </Page>
  );
}
