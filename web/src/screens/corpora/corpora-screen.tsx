/** The corpora of the organization. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Library, MessageCircleQuestionMark, Plus } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { useDescriptionWords } from "../../app/sample-description.ts";
import { useIsAdministrator } from "../../app/session.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input, TextArea } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Empty, Failure, Loading, Page } from "../../ui/page.tsx";
import { corporaQuery } from "./queries.ts";

export function CorporaScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const descriptionWords = useDescriptionWords();
  const formats = useFormats();
  const isAdministrator = useIsAdministrator();
  const [isCreating, setCreating] = useState(false);
  const { data: corpora, error, refetch, isPending } = useQuery(corporaQuery);
  const create = isAdministrator && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={18} aria-hidden />
      <Trans>New corpus</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Corpora`}
      description={t`A corpus is a collection of documents. Ask it questions and get answers with quotes from the documents.`}
      actions={corpora !== undefined && corpora.length > 0 && create}
    >
      {isPending && <Loading />}
      {error !== null && <Failure message={wordsOf(error)} onRetry={() => refetch()} />}
      {corpora?.length === 0 && (
        <Empty
          icon={<Library size={32} strokeWidth={1.5} />}
          title={<Trans>There is no corpus yet</Trans>}
          action={create || undefined}
        >
          {isAdministrator ? (
            <Trans>Create a corpus, add documents, and ask your first question.</Trans>
          ) : (
            <Trans>Ask an administrator to create a corpus or to let you see one.</Trans>
          )}
        </Empty>
      )}
      {corpora !== undefined && corpora.length > 0 && (
        <>
          <p className="sr-only">
            <Plural value={corpora.length} one="# corpus" other="# corpora" />
          </p>
          <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            {corpora.map(({ reference, name, description, updated_at }) => (
              <li
                key={reference}
                className="relative flex flex-col rounded-xl border border-line bg-surface p-5 hover:border-line-strong"
              >
                <h2 className="font-semibold break-words">
                  <Link
                    to="/corpora/$reference/documents"
                    params={{ reference }}
                    className="after:absolute after:inset-0 after:rounded-xl"
                  >
                    {name}
                  </Link>
                </h2>
                {description && <p className="mt-1 line-clamp-2 text-muted">{descriptionWords(description)}</p>}
                <div className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-4">
                  <p className="text-[0.85rem] text-muted">
                    <Trans>Changed {formats.date(updated_at)}</Trans>
                  </p>
                  <Link
                    to="/corpora/$reference/ask/{-$threadId}"
                    params={{ reference, threadId: undefined }}
                    className={`${buttonClasses("secondary", true)} relative`}
                  >
                    <MessageCircleQuestionMark size={16} aria-hidden />
                    <Trans>Ask</Trans>
                    <span className="sr-only">{name}</span>
                  </Link>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {isCreating && <NewCorpusDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewCorpusDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const create = useMutation({
    mutationFn: () =>
      sheaf.createAgent({
        type: "DOCUMENTALIST",
        name: name.trim(),
        ...(description.trim() !== "" && { description: description.trim() }),
      }),
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: corporaQuery.queryKey });
      return navigate({ to: "/corpora/$reference/documents", params: { reference: data.reference } });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`New corpus`}
      description={t`Every member of your organization can see it. You can change that in its settings.`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t`Name`}>
          <Input required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={t`Description`} description={t`Optional. Says what the documents are about.`}>
          <TextArea maxLength={2000} value={description} onChange={(event) => setDescription(event.target.value)} />
        </Field>
        {create.error !== null && <Failure message={wordsOf(create.error)} />}
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" busy={create.isPending} disabled={name.trim() === ""}>
            <Trans>Create corpus</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
