/** The user's passkeys: list, create, delete. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Passkey } from "@sheaf/client";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { canUsePasskeys, createPasskey, isDismissed, isKnownDevice } from "../../app/passkey.ts";
import { sendsPassword } from "../../app/queries.ts";
import { useSession } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { notify } from "../../ui/notifications.tsx";
import { Failure, Loading } from "../../ui/page.tsx";
import { browserOf } from "./browser-name.ts";
import { hasSessionEnded, PasswordInput } from "./password-input.tsx";

const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async ({ signal }) => (await sheaf.listPasskeys({ signal })).data,
});

export function Passkeys() {
  const wordsOf = useErrorWords();
  const { user } = useSession();
  const { data, error, isPending, refetch } = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  if (isPending) return <Loading />;
  if (error !== null) return <Failure message={wordsOf(error)} onRetry={() => refetch()} />;
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-2xl text-muted">
        <Trans>
          A passkey signs you in with the screen lock of your computer or phone, or with a security key. It needs
          neither password nor code.
        </Trans>
      </p>
      {data.length > 0 && (
        <ul className="w-full divide-y divide-line">
          {data.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {!canUsePasskeys() ? (
        <p>
          <Trans>
            Your browser cannot create passkeys here. They need a host name, and HTTPS unless it is localhost.
          </Trans>
        </p>
      ) : user.has_password ? (
        <Button onClick={() => setAdding(true)}>
          <Trans>Add a passkey</Trans>
        </Button>
      ) : (
        <p>
          <Trans>Choose a password first.</Trans>
        </p>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

function Row({ passkey: { id, name, created_at, last_used_at } }: { passkey: Passkey }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const { date } = useFormats();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => sheaf.deletePasskey(id),
    onSuccess: () => notify(t`The passkey is deleted.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-[0.87rem] text-muted">
          {last_used_at === null ? (
            <Trans>created {date(created_at)}, not used yet</Trans>
          ) : (
            <Trans>
              created {date(created_at)}, last used {date(last_used_at)}
            </Trans>
          )}
        </p>
      </div>
      <Button small aria-label={t`Delete the passkey ${name}`} onClick={() => setAsking(true)}>
        <Trans>Delete</Trans>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Delete the passkey ${name}?`}
        description={t`Nobody can sign in with it any more. Remove it from your device too.`}
        action={t`Delete`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </li>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [name, setName] = useState(() => browserOf(navigator.userAgent) ?? "");
  const [password, setPassword] = useState("");
  const add = useMutation({
    meta: sendsPassword,
    mutationFn: () => createPasskey(name.trim(), password),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      notify(t`The passkey is created. Use it the next time that you sign in.`);
      onClose();
    },
    onError: async (error) => {
      if (await hasSessionEnded(queries, error)) add.reset();
    },
  });
  const words = isKnownDevice(add.error)
    ? t`This device has a passkey for your account already.`
    : isDismissed(add.error)
      ? t`No passkey was created. Try again, or choose another device.`
      : undefined;
  return (
    <Dialog open onOpenChange={onClose} title={t`Add a passkey`}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Field label={t`Name`} description={t`So that you recognize it in the list.`}>
          <Input required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <PasswordInput
          value={password}
          onChange={setPassword}
          error={words === undefined ? add.error : null}
          autoFocus={false}
        />
        {words !== undefined && <Failure message={words} />}
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            <Trans>Continue</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
