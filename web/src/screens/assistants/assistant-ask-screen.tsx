/** Screen for asking an assistant questions. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Agent, PersonalConfiguration } from "@sheaf/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Conversation } from "../corpora/conversation.tsx";
import { ThreadList } from "../corpora/thread-list.tsx";
import { AssistantPage } from "./assistant-page.tsx";

const route = getRouteApi("/shell/assistants/$reference/ask/{-$threadId}");

export function AssistantAskScreen() {
  const { t } = useLingui();
  const { reference } = route.useParams();
  return (
    <AssistantPage reference={reference} screen={t`Ask`}>
      {(assistant) => <Ask assistant={assistant} />}
    </AssistantPage>
  );
}

function Ask({ assistant: { reference, configuration } }: { assistant: Agent }) {
  const { threadId } = route.useParams();
  const navigate = route.useNavigate();
  const show = (id: string | undefined, replace: boolean) =>
    void navigate({ params: { reference, threadId: id }, replace, resetScroll: false });
  const { corpora = [] } = (configuration ?? {}) as Partial<PersonalConfiguration>;
  return (
    <div className="grid gap-6 lg:grid-cols-[16rem_1fr]">
      <ThreadList
        agent={reference}
        threadId={threadId}
        onNew={() => show(undefined, false)}
        renderLink={(id, className, title) => (
          <Link to="/assistants/$reference/ask/{-$threadId}" params={{ reference, threadId: id }} className={className}>
            {title}
          </Link>
        )}
      />
      <Conversation
        agent={reference}
        threadId={threadId}
        showsSources
        onThread={(id) => show(id, true)}
        hint={
          corpora.length === 0 ? (
            <Trans>
              This assistant searches no corpus yet. <SettingsLink reference={reference} />
            </Trans>
          ) : (
            <Trans>Answers come from the corpora that you chose, with quotes that you can open.</Trans>
          )
        }
      />
    </div>
  );
}

const SettingsLink = ({ reference }: { reference: string }) => (
  <Link to="/assistants/$reference/settings" params={{ reference }} className="text-accent underline">
    <Trans>Choose corpora</Trans>
  </Link>
);
