/** Creates a SCIM token and shows it once. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Failure } from "../../ui/page.tsx";
import { scimTokensQuery } from "./organization.queries.ts";
import { ShownOnce } from "./shown-once.tsx";

export function ScimTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => sheaf.createScimToken({ name: name.trim() }),
    onSettled: () => queries.invalidateQueries({ queryKey: scimTokensQuery.queryKey }),
  });
  if (create.isSuccess) {
    const { name: created, token } = create.data.data;
    return (
      <ShownOnce title={t`SCIM token ${created}`} values={[{ label: t`Token`, value: token }]} onDone={onClose}>
        <Trans>
          Copy the token now: it is shown only once. Keep it like a password. If it is lost, revoke it and create
          another.
        </Trans>
      </ShownOnce>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`New SCIM token`}
      description={t`The provider can create and deactivate members of the organization with it, and give roles by the mapping of groups.`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t`Name`} description={t`Names the provider, for example “Entra ID”.`}>
          <Input
            required
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        {create.isError && <Failure message={wordsOf(create.error)} />}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            {t`Create`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
