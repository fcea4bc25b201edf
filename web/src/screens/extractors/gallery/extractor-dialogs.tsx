/** Dialogs that create, rename and delete extractors, and choose who sees them. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentAccess, AgentSummary, Template } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field, Input, Select, TextArea } from "../../../ui/field.tsx";
import { notify } from "../../../ui/notifications.tsx";
import { Failure, Loading } from "../../../ui/page.tsx";
import { agentParamsOf } from "../agent-params.ts";
import { accessQuery, extractorQuery, extractorsQuery, groupsQuery } from "../extractors.queries.ts";

/** Maximum length of a name that the API accepts, in characters. */
const maxNameLength = 200;
/** Maximum length of a description that the API accepts, in characters. */
const maxDescriptionLength = 2_000;

interface NameFormProps {
  initialName: string;
  initialDescription: string;
  action: string;
  busy: boolean;
  error: unknown;
  onCancel: () => void;
  onSubmit: (values: { name: string; description: string | null }) => void;
}

function NameForm({ initialName, initialDescription, action, busy, error, onCancel, onSubmit }: NameFormProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [name, setName] = useState(initialName);
  const [description, setDescription] = useState(initialDescription);
  const [isChecked, setChecked] = useState(false);
  const isMissing = name.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isMissing) onSubmit({ name: name.trim(), description: description.trim() || null });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
      <Field label={t`Name`} error={isChecked && isMissing ? t`Enter a name.` : undefined}>
        <Input
          autoFocus
          required
          maxLength={maxNameLength}
          value={name}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={t`Description`} description={t`For your colleagues: what the extractor is for. May be left empty.`}>
        <TextArea
          maxLength={maxDescriptionLength}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      {error !== null && <Failure message={wordsOf(error)} />}
      <DialogActions>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Creates an extractor, from a template or without fields, and opens it to edit its fields. */
export function CreateDialog({ template, onClose }: { template: Template | undefined; onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const params = agentParamsOf(template?.params ?? []);
  const title = template?.title ?? "";
  const create = useMutation({
    mutationFn: (values: { name: string; description: string | null }) =>
      sheaf.createAgent({ ...values, type: "EXTRACTOR", configuration: { params } }),
    onSuccess: async ({ data }) => {
      queries.setQueryData(extractorQuery(data.reference).queryKey, data);
      void queries.invalidateQueries({ queryKey: extractorsQuery.queryKey });
      await navigate({ to: "/extractors/$reference/fields", params: { reference: data.reference } });
    },
  });
  const fieldCount = params.length;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={template === undefined ? t`New extractor` : t`New extractor: ${title}`}
      description={
        template === undefined
          ? t`It begins without fields. You add them next.`
          : t`It begins with ${fieldCount} fields, which you can change next.`
      }
    >
      <NameForm
        initialName={title}
        initialDescription=""
        action={t`Create`}
        busy={create.isPending}
        error={create.error}
        onCancel={onClose}
        onSubmit={(values) => create.mutate(values)}
      />
    </Dialog>
  );
}

interface ExtractorDialogProps {
  extractor: AgentSummary;
  onClose: () => void;
}

export function RenameDialog({ extractor, onClose }: ExtractorDialogProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: (values: { name: string; description: string | null }) =>
      sheaf.updateAgent(extractor.reference, values),
    onSuccess: async ({ data }) => {
      queries.setQueryData(extractorQuery(extractor.reference).queryKey, data);
      await queries.invalidateQueries({ queryKey: extractorsQuery.queryKey });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={t`Name and description`}>
      <NameForm
        initialName={extractor.name}
        initialDescription={extractor.description ?? ""}
        action={t`Save`}
        busy={rename.isPending}
        error={rename.error}
        onCancel={onClose}
        onSubmit={(values) => rename.mutate(values)}
      />
    </Dialog>
  );
}

export function DeleteDialog({ extractor, onClose }: ExtractorDialogProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => sheaf.deleteAgent(extractor.reference),
    onSuccess: async ({ data }) => {
      // Ignores unsaved changes to the fields, because the extractor no longer exists.
      await navigate({ to: "/extractors", ignoreBlocker: true });
      queries.removeQueries({ queryKey: extractorQuery(extractor.reference).queryKey });
      void queries.invalidateQueries({ queryKey: extractorsQuery.queryKey });
      for (const { message } of data.warnings) notify(message, "error");
      notify(t`“${extractor.name}” was deleted.`);
      onClose();
    },
    onError: (error) => notify(wordsOf(error), "error"),
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t`Delete “${extractor.name}”?`}
      description={t`Its fields are deleted, and programs that use it will fail. This cannot be undone.`}
      action={t`Delete`}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}

type Visibility = AgentAccess["visibility"];

/** Chooses who sees an extractor. */
export function AccessDialog({ extractor, onClose }: ExtractorDialogProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { data: access, error, refetch } = useQuery(accessQuery(extractor.reference));
  return (
    <Dialog open onOpenChange={onClose} title={t`Who sees “${extractor.name}”?`}>
      {error !== null ? (
        <Failure message={wordsOf(error)} onRetry={() => refetch()} />
      ) : access === undefined ? (
        <Loading />
      ) : (
        <AccessForm extractor={extractor} access={access} onClose={onClose} />
      )}
    </Dialog>
  );
}

function AccessForm({ extractor, access, onClose }: ExtractorDialogProps & { access: AgentAccess }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const name = useId();
  const [visibility, setVisibility] = useState<Visibility>(access.visibility);
  const [groupId, setGroupId] = useState(access.group_id ?? "");
  const [isChecked, setChecked] = useState(false);
  const groups = useQuery({ ...groupsQuery, enabled: visibility === "group" });
  const save = useMutation({
    mutationFn: () =>
      sheaf.putAgentAccess(extractor.reference, { visibility, ...(visibility === "group" && { group_id: groupId }) }),
    onSuccess: ({ data }) => {
      queries.setQueryData(accessQuery(extractor.reference).queryKey, data);
      void queries.invalidateQueries({ queryKey: extractorsQuery.queryKey });
      notify(t`Saved.`);
      onClose();
    },
  });
  const choices: { value: Visibility; label: string; description: string }[] = [
    {
      value: "organization",
      label: t`Everybody in the organization`,
      description: t`All members can use it. Administrators can change it.`,
    },
    { value: "group", label: t`One group`, description: t`The members of the group and administrators.` },
    {
      value: "private",
      label: t`Only me`,
      description: t`Nobody else sees it, and programs cannot use it.`,
    },
    {
      value: "public",
      label: t`Public`,
      description: t`Like “everybody in the organization”, because using an extractor always needs a sign-in or a credential.`,
    },
  ];
  const isGroupMissing = visibility === "group" && groupId === "";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!isGroupMissing) save.mutate();
      }}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">
          <Trans>Who sees it</Trans>
        </legend>
        {choices.map(({ value, label, description }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line p-3 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={name}
              className="mt-1 accent-accent"
              checked={visibility === value}
              onChange={() => setVisibility(value)}
            />
            <span>
              <span className="block font-medium">{label}</span>
              <span className="block text-[0.87rem] text-muted">{description}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {visibility === "group" && (
        <div className="mt-4">
          {groups.error !== null ? (
            <Failure message={wordsOf(groups.error)} onRetry={() => groups.refetch()} />
          ) : groups.data === undefined ? (
            <Loading />
          ) : (
            <Field
              label={t`Group`}
              description={
                groups.data.length === 0
                  ? t`There is no group yet. Administrators create groups under Organization.`
                  : undefined
              }
              error={isChecked && isGroupMissing ? t`Choose a group.` : undefined}
            >
              <Select value={groupId} onChange={(event) => setGroupId(event.target.value)}>
                <option value="">{t`Choose…`}</option>
                {groups.data.map((group) => (
                  <option key={group.id} value={group.id}>
                    {group.name}
                  </option>
                ))}
              </Select>
            </Field>
          )}
        </div>
      )}
      {save.error !== null && (
        <div className="mt-4">
          <Failure message={wordsOf(save.error)} />
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          <Trans>Save</Trans>
        </Button>
      </DialogActions>
    </form>
  );
}
