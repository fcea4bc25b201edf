/** Screen for asking questions about a corpus. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { DocumentalistConfiguration } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Conversation } from "./conversation.tsx";
import { CorpusPage } from "./corpus-page.tsx";
import { isPending } from "./document-state.ts";
import { agentQuery } from "./queries.ts";
import { ThreadList } from "./thread-list.tsx";
import { useDocuments } from "./use-documents.ts";

const route = getRouteApi("/shell/corpora/$reference/ask/{-$threadId}");

export function AskScreen() {
  const { t } = useLingui();
  const { reference, threadId } = route.useParams();
  const navigate = route.useNavigate();
  const { data: corpus } = useQuery(agentQuery(reference));
  const { data: documents } = useDocuments(reference);
  const pending = documents?.filter(isPending).length ?? 0;
  const configuration = corpus?.configuration as DocumentalistConfiguration | undefined;
  const show = (id: string | undefined, replace: boolean) =>
    void navigate({ params: { reference, threadId: id }, replace, resetScroll: false });
  return (
    <CorpusPage reference={reference} screen={t`Ask`}>
      <div className="grid gap-6 lg:grid-cols-[16rem_1fr]">
        <ThreadList
          agent={reference}
          threadId={threadId}
          onNew={() => show(undefined, false)}
          renderLink={(id, className, title) => (
            <Link to="/corpora/$reference/ask/{-$threadId}" params={{ reference, threadId: id }} className={className}>
              {title}
            </Link>
          )}
        />
        <Conversation
          agent={reference}
          threadId={threadId}
          showsSources={configuration?.sourceVisibility ?? true}
          onThread={(id) => show(id, true)}
          note={
            pending > 0 && (
              <Plural
                value={pending}
                one="# document is not ready yet. Answers leave it out until then."
                other="# documents are not ready yet. Answers leave them out until then."
              />
            )
          }
          hint={
            documents?.some(({ status }) => status === "ready") === false ? (
              <Trans>
                No document is ready yet. <DocumentsLink reference={reference} />
              </Trans>
            ) : (
              <Trans>Answers come from the documents of this corpus only, with quotes that you can open.</Trans>
            )
          }
        />
      </div>
    </CorpusPage>
  );
}

const DocumentsLink = ({ reference }: { reference: string }) => (
  <Link to="/corpora/$reference/documents" params={{ reference }} className="text-accent underline">
    <Trans>See the documents</Trans>
  </Link>
);
