/** Settings of an assistant, and the button that deletes it. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { Agent, PersonalConfiguration } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Card } from "../../ui/page.tsx";
import { assistantsQuery } from "../corpora/queries.ts";
import { AssistantForm, type AssistantInput, configurationOf, inputOf } from "./assistant-form.tsx";
import { AssistantPage } from "./assistant-page.tsx";

const route = getRouteApi("/shell/assistants/$reference/settings");

export function AssistantSettingsScreen() {
  const { t } = useLingui();
  const { reference } = route.useParams();
  return (
    <AssistantPage reference={reference} screen={t`Settings`}>
      {(assistant) => (
        <div className="flex max-w-3xl flex-col gap-6" key={reference}>
          <General assistant={assistant} />
          <Removal assistant={assistant} />
        </div>
      )}
    </AssistantPage>
  );
}

function General({ assistant }: { assistant: Agent }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { reference, name, configuration, unavailable_corpora: unavailable = [] } = assistant;
  const save = useMutation({
    mutationFn: (input: AssistantInput) =>
      sheaf.updateAgent(reference, { name: input.name, configuration: configurationOf(input) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: assistantsQuery.queryKey });
      notify(t`The settings are saved.`);
    },
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-semibold">
        <Trans>Name, instructions and corpora</Trans>
      </h2>
      {unavailable.length > 0 && (
        <p className="mb-4 rounded-lg bg-warning-soft px-3 py-2 text-warning">
          <Plural
            value={unavailable.length}
            one="# corpus is left out of answers: it was deleted, or you may no longer see it."
            other="# corpora are left out of answers: they were deleted, or you may no longer see them."
          />
        </p>
      )}
      <AssistantForm
        input={inputOf(name, configuration as PersonalConfiguration)}
        action={t`Save`}
        error={save.error}
        isBusy={save.isPending}
        onSubmit={save.mutate}
      />
    </Card>
  );
}

function Removal({ assistant: { reference, name } }: { assistant: Agent }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => sheaf.deleteAgent(reference),
    onSuccess: async () => {
      await navigate({ to: "/assistants" });
      notify(t`The assistant is deleted.`);
      await queries.invalidateQueries({ queryKey: assistantsQuery.queryKey });
    },
    onError: (error) => notify(wordsOf(error), "error"),
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-semibold">
        <Trans>Delete assistant</Trans>
      </h2>
      <p className="mb-4 text-muted">
        <Trans>Your conversations with it can no longer be opened. Corpora and documents stay.</Trans>
      </p>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trans>Delete assistant</Trans>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Delete ${name}?`}
        description={t`The assistant and your conversations with it are deleted. This cannot be undone.`}
        action={t`Delete assistant`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </Card>
  );
}
