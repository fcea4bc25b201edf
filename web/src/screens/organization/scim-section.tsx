/**
 * Lists the tokens that the identity provider uses to create and deactivate members through SCIM.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ScimToken } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { useFormats } from "../../ui/formats.ts";
import { notify } from "../../ui/notifications.tsx";
import { Card } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { useHeadingFocus } from "./heading-focus.ts";
import { Loaded } from "./loaded.tsx";
import { scimTokensQuery } from "./organization.queries.ts";
import { ScimTokenDialog } from "./scim-token-dialog.tsx";

export function ScimSection({ url }: { url: string }) {
  const { t } = useLingui();
  const [isCreating, setCreating] = useState(false);
  return (
    <Section
      title={t`Provisioning`}
      description={t`The provider creates members, and deactivates those who leave, by SCIM. For this it needs the base URL and a token.`}
      actions={
        <Button onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden />
          <Trans>New token</Trans>
        </Button>
      }
    >
      <Card className="mb-4 max-w-2xl">
        <p className="mb-1 text-[0.9rem] font-medium">{t`Base URL of SCIM`}</p>
        <CopyText label={t`Base URL of SCIM`} text={url} />
      </Card>
      <Loaded query={useQuery(scimTokensQuery)}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p className="text-muted">{t`There is no token: members are not provisioned.`}</p>
          ) : (
            <Table caption={t`SCIM tokens`}>
              <thead>
                <tr>
                  <HeadCell>{t`Name`}</HeadCell>
                  <HeadCell>{t`Last use`}</HeadCell>
                  <HeadCell>{t`Created`}</HeadCell>
                  <HeadCell>
                    <span className="sr-only">{t`Actions`}</span>
                  </HeadCell>
                </tr>
              </thead>
              <tbody>
                {tokens.map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </tbody>
            </Table>
          )
        }
      </Loaded>
      {isCreating && <ScimTokenDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

function TokenRow({ token: { id, name, last_used_at, created_at } }: { token: ScimToken }) {
  const { t } = useLingui();
  const { date, dateTime } = useFormats();
  const heading = useHeadingFocus<HTMLTableRowElement>();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [isRevoking, setRevoking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => sheaf.deleteScimToken(id),
    onSuccess: () => notify(t`The token ${name} was revoked.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: async () => {
      setRevoking(false);
      const focusHeading = heading.keep();
      await queries.invalidateQueries({ queryKey: scimTokensQuery.queryKey });
      focusHeading();
    },
  });
  return (
    <tr ref={heading.ref}>
      <Cell className="min-w-56 font-medium break-words">{name}</Cell>
      <Cell className="whitespace-nowrap">
        {last_used_at === null ? <span className="text-muted">{t`Never`}</span> : dateTime(last_used_at)}
      </Cell>
      <Cell className="whitespace-nowrap">{date(created_at)}</Cell>
      <Cell className="text-right">
        <Button small look="danger" aria-label={t`Revoke: ${name}`} onClick={() => setRevoking(true)}>
          {t`Revoke`}
        </Button>
        <ConfirmDialog
          open={isRevoking}
          onOpenChange={setRevoking}
          title={t`Revoke the token ${name}?`}
          description={t`The provider is refused from the next request on, and leavers keep their access. Members who were provisioned stay.`}
          action={t`Revoke`}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate()}
        />
      </Cell>
    </tr>
  );
}
