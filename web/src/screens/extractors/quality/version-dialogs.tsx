/** Dialogs that compare, name and restore a version of an extractor. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentVersionSummary } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { type FormEvent, useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { useIsAdministrator } from "../../../app/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field, Input } from "../../../ui/field.tsx";
import { notify } from "../../../ui/notifications.tsx";
import { Failure, Loading } from "../../../ui/page.tsx";
import { extractorQuery } from "../extractors.queries.ts";
import { changesQuery, versionsQuery } from "./quality.queries.ts";
import { VersionChanges } from "./version-changes.tsx";

/** Maximum length of a name that the API accepts, in characters. */
const maxNameLength = 200;

interface VersionDialogProps {
  reference: string;
  version: AgentVersionSummary;
  onClose: () => void;
}

/** Shows what has changed since a version. */
export function CompareDialog({
  reference,
  version: { number },
  current,
  onClose,
  onRestore,
}: VersionDialogProps & { current: number; onRestore: () => void }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const isAdministrator = useIsAdministrator();
  const { data: changes, error, refetch } = useQuery(changesQuery(reference, number, current));
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t`Changes since version ${number}`}
      description={t`From version ${number} to the current version ${current}.`}
    >
      {changes === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <Failure message={wordsOf(error)} onRetry={() => refetch()} />
        )
      ) : (
        <VersionChanges changes={changes} />
      )}
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
        {isAdministrator && (
          <Button onClick={onRestore}>
            <RotateCcw size={16} aria-hidden />
            <Trans>Restore version {number}…</Trans>
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

export function RestoreDialog({ reference, version: { number }, onClose }: VersionDialogProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: () => sheaf.restoreAgentVersion(reference, String(number)),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: versionsQuery(reference).queryKey }),
        queries.invalidateQueries({ queryKey: extractorQuery(reference).queryKey }),
      ]);
      notify(t`Version ${number} was restored.`);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Restore version ${number}?`}
      description={t`The extractor then has the fields and settings of version ${number}. This makes a new version, so you can return to the present one. Results that exist stay as they are.`}
    >
      {restore.isError && <Failure message={wordsOf(restore.error)} />}
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button look="primary" busy={restore.isPending} onClick={() => restore.mutate()}>
          <Trans>Restore</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function NameVersionDialog({ reference, version, onClose }: VersionDialogProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [name, setName] = useState(version.name ?? "");
  const rename = useMutation({
    mutationFn: () => sheaf.updateAgentVersion(reference, String(version.number), { name: name.trim() || null }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: versionsQuery(reference).queryKey });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rename.isPending) rename.mutate();
  };
  return (
    <Dialog open onOpenChange={onClose} title={t`Name of version ${version.number}`}>
      <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
        <Field label={t`Name`} description={t`So that you find it again, such as “before the new supplier”.`}>
          <Input
            autoFocus
            maxLength={maxNameLength}
            value={name}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        {rename.isError && <Failure message={wordsOf(rename.error)} />}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" look="primary" busy={rename.isPending}>
            <Trans>Save</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
