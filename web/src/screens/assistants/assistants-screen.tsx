/** The user's own assistants. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Lock, Plus, UserRound } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Empty, Failure, Loading, Page } from "../../ui/page.tsx";
import { assistantsQuery } from "../corpora/queries.ts";
import { AssistantForm, type AssistantInput, configurationOf } from "./assistant-form.tsx";

export function AssistantsScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const formats = useFormats();
  const [isCreating, setCreating] = useState(false);
  const { data: assistants, error, refetch, isPending } = useQuery(assistantsQuery);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={18} aria-hidden />
      <Trans>New assistant</Trans>
    </Button>
  );
  return (
    <Page
      title={t`My assistants`}
      description={t`An assistant answers from the corpora that you choose, by your instructions. Nobody else sees your assistants or your conversations with them.`}
      actions={assistants !== undefined && assistants.length > 0 && create}
    >
      {isPending && <Loading />}
      {error !== null && <Failure message={wordsOf(error)} onRetry={() => refetch()} />}
      {assistants?.length === 0 && (
        <Empty
          icon={<UserRound size={32} strokeWidth={1.5} />}
          title={<Trans>You have no assistant yet</Trans>}
          action={create}
        >
          <Trans>Create one to ask several corpora at once.</Trans>
        </Empty>
      )}
      {assistants !== undefined && assistants.length > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {assistants.map(({ reference, name, updated_at }) => (
            <li
              key={reference}
              className="relative rounded-xl border border-line bg-surface p-5 hover:border-line-strong"
            >
              <h2 className="font-semibold break-words">
                <Link
                  to="/assistants/$reference/ask/{-$threadId}"
                  params={{ reference, threadId: undefined }}
                  className="after:absolute after:inset-0 after:rounded-xl"
                >
                  {name}
                </Link>
              </h2>
              <p className="mt-3 flex items-center gap-1.5 text-[0.85rem] text-muted">
                <Lock size={14} aria-hidden />
                <Trans>Only you · changed {formats.date(updated_at)}</Trans>
              </p>
            </li>
          ))}
        </ul>
      )}
      {isCreating && <NewAssistantDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewAssistantDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (input: AssistantInput) =>
      sheaf.createAgent({ type: "PERSONAL", name: input.name, configuration: configurationOf(input) }),
    onSuccess: ({ data: { reference } }) => {
      void queries.invalidateQueries({ queryKey: assistantsQuery.queryKey });
      return navigate({ to: "/assistants/$reference/ask/{-$threadId}", params: { reference, threadId: undefined } });
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={t`New assistant`} description={t`Only you can see and use it.`}>
      <AssistantForm
        action={t`Create assistant`}
        error={create.error}
        isBusy={create.isPending}
        onSubmit={create.mutate}
        onCancel={onClose}
      />
    </Dialog>
  );
}
