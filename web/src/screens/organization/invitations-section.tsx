/** Lists invitations that nobody has accepted yet. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Invitation } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MailOpen } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { useFormats } from "../../ui/formats.ts";
import { notify } from "../../ui/notifications.tsx";
import { Empty } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { useHeadingFocus } from "./heading-focus.ts";
import { Loaded } from "./loaded.tsx";
import { roleNames } from "./member-words.ts";
import { invitationsQuery } from "./organization.queries.ts";

export function InvitationsSection({ onInvite }: { onInvite: () => void }) {
  const { t } = useLingui();
  const invitations = useQuery(invitationsQuery);
  return (
    <Section
      title={t`Open invitations`}
      description={t`Sheaf sends no mail: pass the link of an invitation on yourself. It is valid for seven days. A new invitation for the same address replaces the earlier one.`}
    >
      <Loaded query={invitations}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              icon={<MailOpen size={32} strokeWidth={1.5} />}
              title={t`No open invitations`}
              action={<Button onClick={onInvite}>{t`Invite someone`}</Button>}
            >
              <Trans>Invited people are listed here until they accept.</Trans>
            </Empty>
          ) : (
            <Table caption={t`Open invitations`}>
              <thead>
                <tr>
                  <HeadCell>{t`Email address`}</HeadCell>
                  <HeadCell>{t`Role`}</HeadCell>
                  <HeadCell>{t`Created`}</HeadCell>
                  <HeadCell>{t`Expires`}</HeadCell>
                  <HeadCell>
                    <span className="sr-only">{t`Actions`}</span>
                  </HeadCell>
                </tr>
              </thead>
              <tbody>
                {all.map((invitation) => (
                  <InvitationRow key={invitation.id} invitation={invitation} />
                ))}
              </tbody>
            </Table>
          )
        }
      </Loaded>
    </Section>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { t, i18n } = useLingui();
  const { date, dateTime } = useFormats();
  const heading = useHeadingFocus<HTMLTableRowElement>();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [isWithdrawing, setWithdrawing] = useState(false);
  const { email } = invitation;
  const withdraw = useMutation({
    mutationFn: () => sheaf.deleteInvitation(invitation.id),
    onSuccess: () => notify(t`The invitation of ${email} was withdrawn.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: async () => {
      setWithdrawing(false);
      const focusHeading = heading.keep();
      await queries.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      focusHeading();
    },
  });
  return (
    <tr ref={heading.ref}>
      <Cell className="min-w-48 font-medium break-all">{email}</Cell>
      <Cell>{i18n._(roleNames[invitation.role])}</Cell>
      <Cell className="whitespace-nowrap">{date(invitation.created_at)}</Cell>
      <Cell className="whitespace-nowrap">{dateTime(invitation.expires_at)}</Cell>
      <Cell className="text-right">
        <Button small look="danger" aria-label={t`Withdraw: ${email}`} onClick={() => setWithdrawing(true)}>
          {t`Withdraw`}
        </Button>
        <ConfirmDialog
          open={isWithdrawing}
          onOpenChange={setWithdrawing}
          title={t`Withdraw the invitation?`}
          description={t`The link that was created for ${email} stops working.`}
          action={t`Withdraw`}
          busy={withdraw.isPending}
          onConfirm={() => withdraw.mutate()}
        />
      </Cell>
    </tr>
  );
}
