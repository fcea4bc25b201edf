/** Shows one document of a corpus. If the user followed a citation, its quote is marked. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Citation, Document } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronLeft, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { slowPollMs, useIsLive } from "../../app/live-states.ts";
import { useIsAdministrator } from "../../app/session.ts";
import type { Highlight } from "../../document/highlights.tsx";
import { documentPages } from "../../document/page-sources.ts";
import { PageView } from "../../document/page-view.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Failure, Loading, Page } from "../../ui/page.tsx";
import { isPending } from "./document-state.ts";
import { agentQuery, documentQuery, documentsQuery, threadQuery } from "./queries.ts";
import type { DocumentSearch } from "./search-params.ts";
import { StateBadge } from "./state-badge.tsx";
import { useReadingWords } from "./upload-words.ts";

const route = getRouteApi("/shell/corpora/$reference/documents/$documentReference");

export function DocumentScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { reference, documentReference } = route.useParams();
  const isLive = useIsLive();
  const {
    data: document,
    error,
    refetch,
  } = useQuery({
    ...documentQuery(reference, documentReference),
    refetchInterval: ({ state: { data } }) => data !== undefined && isPending(data) && (isLive ? slowPollMs : 2_000),
  });
  if (document === undefined)
    return error === null ? (
      <Loading />
    ) : (
      <Page title={t`Document`}>
        <Failure message={wordsOf(error)} onRetry={() => refetch()} />
      </Page>
    );
  return <OneDocument corpus={reference} document={document} />;
}

function OneDocument({ corpus, document }: { corpus: string; document: Document }) {
  const { t } = useLingui();
  const formats = useFormats();
  const readingWords = useReadingWords();
  const search = route.useSearch();
  const { data: agent } = useQuery(agentQuery(corpus));
  const mayManage = useIsAdministrator();
  const { name, path, size, status, created_at, pages } = document;
  return (
    <Page
      wide
      title={name}
      heading={
        <>
          <BackLink corpus={corpus} corpusName={agent?.name ?? t`Corpus`} path={path} search={search} />
          {name}
        </>
      }
      actions={mayManage && <DeleteButton corpus={corpus} document={document} />}
    >
      <dl className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-2 text-[0.9rem]">
        <dt className="sr-only">
          <Trans>State</Trans>
        </dt>
        <dd>
          <StateBadge document={document} />
        </dd>
        {path !== "" && <Fact label={t`Folder`} value={path} />}
        {pages != null && <Fact label={t`Pages`} value={formats.number(pages)} />}
        <Fact label={t`Size`} value={formats.bytes(size)} />
        <Fact label={t`Uploaded`} value={formats.dateTime(created_at)} />
      </dl>
      {status === "error" && <Failure message={readingWords(document)} />}
      {isPending(document) && (
        <Loading label={t`The document is being read. It appears here as soon as it is ready.`} />
      )}
      {status === "ready" && <Viewer corpus={corpus} document={document} />}
    </Page>
  );
}

function Viewer({ corpus, document }: { corpus: string; document: Document }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const search = route.useSearch();
  const { reference, name, pages } = document;
  const { citations, citation, error } = useCitations(corpus, reference, search);
  const source = useMemo(
    () => documentPages({ agentReference: corpus, documentReference: reference, name, pages: pages ?? 1 }),
    [corpus, reference, name, pages],
  );
  const highlights = useMemo(
    () => citations.map(({ page, boxes }): Highlight => ({ page, boxes, tone: "citation" })),
    [citations],
  );
  const { page: askedPage } = search;
  const focus = useMemo(
    () => citation ?? (askedPage === undefined ? undefined : { page: askedPage }),
    [citation, askedPage],
  );
  return (
    <>
      {error !== null && <Failure message={t`The quote cannot be shown. ${wordsOf(error)}`} />}
      {citation !== undefined && (
        <blockquote className="mb-4 max-w-4xl border-l-4 border-highlight bg-surface px-4 py-2.5">
          <q className="line-clamp-3 break-words">{citation.quote}</q>
          <footer className="mt-1 text-[0.87rem] text-muted">{t`Page ${citation.page}`}</footer>
        </blockquote>
      )}
      <PageView
        source={source}
        label={name}
        highlights={highlights}
        focus={focus}
        className="h-[calc(100dvh-12rem)] min-h-96 overflow-hidden rounded-xl border border-line"
      />
    </>
  );
}

const noCitations: Citation[] = [];

/**
 * Returns the citations of this document in one answer, and the citation that the user opened. The
 * URL identifies the thread, the turn and the citation, but never contains the quote.
 */
function useCitations(
  corpus: string,
  document: string,
  { thread, agent = corpus, turn = 1, citation = 1 }: DocumentSearch,
) {
  const { data, error } = useQuery({ ...threadQuery(agent, thread ?? ""), enabled: thread !== undefined });
  const all = data?.turns[turn - 1]?.citations ?? noCitations;
  const citations = useMemo(
    () => all.filter(({ document_reference }) => document_reference === document),
    [all, document],
  );
  const opened = all[citation - 1];
  return { citations, citation: opened?.document_reference === document ? opened : undefined, error };
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div className="flex min-w-0 gap-1.5">
    <dt className="text-muted">{label}</dt>
    <dd className="min-w-0 break-words">{value}</dd>
  </div>
);

interface BackLinkProps {
  corpus: string;
  corpusName: string;
  path: string;
  search: DocumentSearch;
}

/** Links back to the screen from which the document was opened: the conversation or the folder. */
function BackLink({ corpus, corpusName, path, search: { thread, agent } }: BackLinkProps) {
  const look = "mb-1 flex w-fit items-center gap-1 text-[0.87rem] font-normal text-muted hover:text-ink";
  if (thread !== undefined)
    return (
      <Link
        to={agent === undefined ? "/corpora/$reference/ask/{-$threadId}" : "/assistants/$reference/ask/{-$threadId}"}
        params={{ reference: agent ?? corpus, threadId: thread }}
        className={look}
      >
        <ChevronLeft size={16} aria-hidden />
        <Trans>Back to the answer</Trans>
      </Link>
    );
  return (
    <Link
      to="/corpora/$reference/documents"
      params={{ reference: corpus }}
      search={path === "" ? {} : { folder: path }}
      className={look}
    >
      <ChevronLeft size={16} aria-hidden />
      {corpusName}
    </Link>
  );
}

function DeleteButton({ corpus, document }: { corpus: string; document: Document }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { reference, name, path } = document;
  const remove = useMutation({
    mutationFn: () => sheaf.deleteDocument(corpus, reference),
    onSuccess: async () => {
      await navigate({
        to: "/corpora/$reference/documents",
        params: { reference: corpus },
        search: path === "" ? {} : { folder: path },
      });
      await queries.invalidateQueries({ queryKey: documentsQuery(corpus).queryKey });
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trash2 size={16} aria-hidden />
        <Trans>Delete</Trans>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Delete ${name}?`}
        description={
          remove.error === null
            ? t`Answers no longer use or quote what you delete. This cannot be undone.`
            : wordsOf(remove.error)
        }
        action={t`Delete`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
