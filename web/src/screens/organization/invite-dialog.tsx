/** Creates an invitation and shows its link once. */
import { Trans, useLingui } from "@lingui/react/macro";
import { type CreatedInvitation, type Member, SheafError } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Failure } from "../../ui/page.tsx";
import { roleNames, roles } from "./member-words.ts";
import { invitationsQuery } from "./organization.queries.ts";
import { ShownOnce } from "./shown-once.tsx";

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const { dateTime } = useFormats();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Member["role"]>("member");
  const invite = useMutation({
    mutationFn: () => sheaf.createInvitation({ email: email.trim(), role }),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });

  if (invite.isSuccess) {
    const created = invite.data.data;
    const invited = created.email;
    const until = dateTime(created.expires_at);
    return (
      <ShownOnce
        title={t`Invitation for ${invited}`}
        values={[{ label: t`Link of the invitation`, value: linkOf(created) }]}
        onDone={onClose}
      >
        <Trans>
          Copy the link now and pass it on: it is shown only once, and Sheaf sends no mail. Whoever has the link can
          accept the invitation until {until}.
        </Trans>
      </ShownOnce>
    );
  }
  const { error } = invite;
  const code = error instanceof SheafError ? error.code : undefined;
  const ofEmail =
    code === "conflict"
      ? t`This address already belongs to a member.`
      : code === "invalid_request"
        ? t`This is not an email address that the service accepts.`
        : undefined;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Invite someone`}
      description={t`You get a link to pass on. Sheaf sends no mail.`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <Field label={t`Email address`} error={ofEmail}>
          <Input
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={({ target }) => {
              setEmail(target.value);
              if (error !== null) invite.reset();
            }}
          />
        </Field>
        <Field
          label={t`Role`}
          description={
            role === "administrator"
              ? t`May manage members, credentials, webhooks and settings.`
              : t`May work with extractors, corpora and assistants.`
          }
        >
          <Select value={role} onChange={({ target }) => setRole(target.value as Member["role"])}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {i18n._(roleNames[each])}
              </option>
            ))}
          </Select>
        </Field>
        {error !== null && ofEmail === undefined && <Failure message={wordsOf(error)} />}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button look="primary" type="submit" busy={invite.isPending}>
            {t`Create the link`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/**
 * Returns the link of an invitation. The token is in the fragment, which browsers do not send to
 * servers.
 */
const linkOf = ({ token }: CreatedInvitation): string =>
  `${location.origin}/invitation#token=${encodeURIComponent(token)}`;
