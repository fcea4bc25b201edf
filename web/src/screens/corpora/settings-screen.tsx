/** Settings of a corpus: name, instructions, who sees it, and deletion. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Agent, AgentAccess, DocumentalistConfiguration } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsAdministrator } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Field, Input, Select, TextArea } from "../../ui/field.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Card, Failure, Loading } from "../../ui/page.tsx";
import { changedConsignes, instructionText } from "./consignes.ts";
import { CorpusPage } from "./corpus-page.tsx";
import { accessQuery, agentQuery, corporaQuery, groupsQuery } from "./queries.ts";

const route = getRouteApi("/shell/corpora/$reference/settings");

export function SettingsScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const isAdministrator = useIsAdministrator();
  const { reference } = route.useParams();
  const { data: corpus } = useQuery(agentQuery(reference));
  const access = useQuery({ ...accessQuery(reference), enabled: isAdministrator });
  return (
    <CorpusPage reference={reference} screen={t`Settings`}>
      {!isAdministrator ? (
        <Failure message={t`Only administrators can change a corpus.`} />
      ) : (
        <div className="flex max-w-3xl flex-col gap-6">
          {corpus && <General key={corpus.reference} corpus={corpus} />}
          {access.data && (
            <Access key={`${reference} ${access.data.visibility}`} corpus={reference} access={access.data} />
          )}
          {access.isPending && <Loading />}
          {access.error !== null && <Failure message={wordsOf(access.error)} onRetry={() => access.refetch()} />}
          {corpus && <Removal corpus={corpus} />}
        </div>
      )}
    </CorpusPage>
  );
}

const Heading = ({ children }: { children: ReactNode }) => <h2 className="mb-4 text-lg font-semibold">{children}</h2>;

function General({ corpus }: { corpus: Agent }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const configuration = corpus.configuration as DocumentalistConfiguration;
  const [name, setName] = useState(corpus.name);
  const [description, setDescription] = useState(corpus.description ?? "");
  const [instructions, setInstructions] = useState(() => instructionText(configuration.consignes));
  const [showsSources, setShowsSources] = useState(configuration.sourceVisibility);
  const save = useMutation({
    mutationFn: () =>
      sheaf.updateAgent(corpus.reference, {
        name: name.trim(),
        description: description.trim() === "" ? null : description.trim(),
        configuration: {
          consignes: changedConsignes(configuration.consignes, instructions),
          sourceVisibility: showsSources,
        },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: corporaQuery.queryKey });
      notify(t`The settings are saved.`);
    },
  });
  return (
    <Card>
      <Heading>
        <Trans>Name and answers</Trans>
      </Heading>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label={t`Name`}>
          <Input required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={t`Description`}>
          <TextArea maxLength={2000} value={description} onChange={(event) => setDescription(event.target.value)} />
        </Field>
        <Field
          label={t`Instructions for answers`}
          description={t`One per line, such as “Answer in one sentence.” They apply to every question to this corpus.`}
        >
          <TextArea rows={5} value={instructions} onChange={(event) => setInstructions(event.target.value)} />
        </Field>
        <label className="flex items-start gap-3">
          <input
            type="checkbox"
            className="mt-1 size-4 shrink-0 accent-accent"
            checked={showsSources}
            onChange={(event) => setShowsSources(event.target.checked)}
          />
          <span>
            <span className="font-medium">
              <Trans>Show quotes with answers</Trans>
            </span>
            <span className="block text-[0.87rem] text-muted">
              <Trans>Without them, readers see the answer but not where in the documents it comes from.</Trans>
            </span>
          </span>
        </label>
        {save.error !== null && <Failure message={wordsOf(save.error)} />}
        <Button type="submit" look="primary" className="self-start" busy={save.isPending} disabled={name.trim() === ""}>
          <Trans>Save</Trans>
        </Button>
      </form>
    </Card>
  );
}

type Visibility = AgentAccess["visibility"];

function Access({ corpus, access }: { corpus: string; access: AgentAccess }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [visibility, setVisibility] = useState<Visibility>(access.visibility);
  const [group, setGroup] = useState(access.group_id ?? "");
  const groups = useQuery(groupsQuery);
  const save = useMutation({
    mutationFn: () => sheaf.putAgentAccess(corpus, { visibility, ...(visibility === "group" && { group_id: group }) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: corporaQuery.queryKey });
      notify(t`Access is changed.`);
    },
  });
  const choices: [Visibility, string, string][] = [
    ["organization", t`Everyone in the organization`, t`Members see the documents and ask questions.`],
    ["group", t`One group`, t`Only the members of the group and administrators see it.`],
    ["private", t`Only me`, t`Nobody else sees it, and programs cannot use it through the API.`],
    [
      "public",
      t`Everyone in the world`,
      t`Anyone who knows the address may ask questions without signing in. Answers can quote the documents.`,
    ],
  ];
  return (
    <Card>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <fieldset>
          <legend className="mb-4 text-lg font-semibold">
            <Trans>Who can see and ask this corpus</Trans>
          </legend>
          <div className="flex flex-col gap-3">
            {choices.map(([value, label, description]) => (
              <label key={value} className="flex items-start gap-3">
                <input
                  type="radio"
                  name="visibility"
                  className="mt-1 size-4 shrink-0 accent-accent"
                  checked={visibility === value}
                  onChange={() => setVisibility(value)}
                />
                <span>
                  <span className="font-medium">{label}</span>
                  <span className="block text-[0.87rem] text-muted">{description}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {visibility === "group" && (
          <Field
            className="mt-4 max-w-sm"
            label={t`Group`}
            description={
              groups.data?.length === 0 ? t`There is no group yet. Create one under Organization.` : undefined
            }
          >
            <Select required value={group} onChange={(event) => setGroup(event.target.value)}>
              <option value="">{t`Choose a group`}</option>
              {groups.data?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {visibility === "public" && access.visibility !== "public" && (
          <p className="mt-4 rounded-lg bg-warning-soft px-3 py-2 text-warning">
            <Trans>Make sure that no document in it is confidential.</Trans>
          </p>
        )}
        {save.error !== null && (
          <div className="mt-4">
            <Failure message={wordsOf(save.error)} />
          </div>
        )}
        <Button
          type="submit"
          className="mt-5"
          busy={save.isPending}
          disabled={visibility === access.visibility && group === (access.group_id ?? "")}
        >
          <Trans>Change access</Trans>
        </Button>
      </form>
    </Card>
  );
}

function Removal({ corpus }: { corpus: Agent }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => sheaf.deleteAgent(corpus.reference),
    onSuccess: async () => {
      await navigate({ to: "/corpora" });
      notify(t`The corpus is deleted.`);
      await queries.invalidateQueries({ queryKey: corporaQuery.queryKey });
    },
    onError: (error) => notify(wordsOf(error), "error"),
  });
  return (
    <Card>
      <Heading>
        <Trans>Delete corpus</Trans>
      </Heading>
      <p className="mb-4 text-muted">
        <Trans>Deletes all documents of this corpus. Conversations about it can no longer be opened.</Trans>
      </p>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trans>Delete corpus</Trans>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Delete ${corpus.name}?`}
        description={t`The corpus and all its documents are deleted. This cannot be undone.`}
        action={t`Delete corpus`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </Card>
  );
}
