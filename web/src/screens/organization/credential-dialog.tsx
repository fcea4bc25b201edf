/** Creates a credential and shows its secret once. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { Failure } from "../../ui/page.tsx";
import { credentialsQuery } from "./organization.queries.ts";
import { ShownOnce } from "./shown-once.tsx";

const lifetimesDays = [30, 90, 365] as const;
const dayMs = 86_400_000;

export function CredentialDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const create = useMutation({
    mutationFn: () => {
      const expiry = days === "" ? {} : { expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString() };
      return sheaf.createCredential({ name: name.trim(), ...expiry });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: credentialsQuery.queryKey }),
  });
  if (create.isSuccess) {
    const { name: created, client_id, client_secret } = create.data.data;
    return (
      <ShownOnce
        title={t`Credential ${created}`}
        values={[
          { label: t`Client id`, value: client_id },
          { label: t`Client secret`, value: client_secret },
        ]}
        onDone={onClose}
      >
        <Trans>
          Copy the secret now: it is shown only once. Keep it like a password. If it is lost, revoke this credential and
          create another.
        </Trans>
      </ShownOnce>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`New credential`}
      description={t`For one program that uses the API with your permissions.`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={t`Name`} description={t`Names the program, for example “Invoice import”.`}>
          <Input
            required
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={t`Expires`}>
          <Select value={days} onChange={({ target }) => setDays(target.value)}>
            <option value="">{t`Never`}</option>
            {lifetimesDays.map((each) => (
              <option key={each} value={each}>
                {t`In ${each} days`}
              </option>
            ))}
          </Select>
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
