/**
 * Lists the credentials that programs use to call the API. Administrators see all credentials,
 * members only their own.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Credential } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsAdministrator } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { useFormats } from "../../ui/formats.ts";
import { notify } from "../../ui/notifications.tsx";
import { Badge, Empty } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import { useHeadingFocus } from "./heading-focus.ts";
import { Loaded } from "./loaded.tsx";
import { credentialsQuery, membersQuery } from "./organization.queries.ts";

const route = getRouteApi("/shell/organization/api");

type CredentialState = "active" | "expired" | "revoked";

function stateOf({ revoked_at, expires_at }: Credential): CredentialState {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : "active";
}

export function CredentialsSection() {
  const { t } = useLingui();
  const isAdministrator = useIsAdministrator();
  const { ended = false } = route.useSearch();
  const navigate = route.useNavigate();
  const credentials = useQuery(credentialsQuery);
  const members = useQuery({ ...membersQuery, enabled: isAdministrator });
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      <Trans>New credential</Trans>
    </Button>
  );
  return (
    <Section
      title={t`Credentials`}
      description={
        isAdministrator
          ? t`A credential belongs to the member who created it and has the permissions of this member.`
          : t`Your credentials. A credential has the permissions of your role.`
      }
      actions={create}
    >
      <Loaded query={credentials}>
        {(all) => {
          const endedCount = all.filter((each) => stateOf(each) !== "active").length;
          const shown = ended ? all : all.filter((each) => stateOf(each) === "active");
          return (
            <>
              {endedCount > 0 && (
                <label className="mb-3 inline-flex cursor-pointer items-center gap-2">
                  <input
                    type="checkbox"
                    className="size-4 accent-accent"
                    checked={ended}
                    onChange={({ target }) =>
                      void navigate({ search: { ended: target.checked || undefined }, replace: true })
                    }
                  />
                  {t`Show revoked and expired ones (${endedCount})`}
                </label>
              )}
              {shown.length === 0 ? (
                <Empty icon={<KeyRound size={32} strokeWidth={1.5} />} title={t`No credentials`}>
                  <Trans>Create one for each program that uses the API, so that you can revoke it alone.</Trans>
                </Empty>
              ) : (
                <Table caption={t`Credentials`}>
                  <thead>
                    <tr>
                      <HeadCell>{t`Name`}</HeadCell>
                      {isAdministrator && <HeadCell>{t`Member`}</HeadCell>}
                      <HeadCell>{t`Last use`}</HeadCell>
                      <HeadCell>{t`Created`}</HeadCell>
                      <HeadCell>{t`Expires`}</HeadCell>
                      <HeadCell>
                        <span className="sr-only">{t`Actions`}</span>
                      </HeadCell>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.map((credential) => (
                      <CredentialRow
                        key={credential.client_id}
                        credential={credential}
                        owner={
                          isAdministrator
                            ? (members.data?.find(({ id }) => id === credential.member_id)?.name ?? "")
                            : undefined
                        }
                      />
                    ))}
                  </tbody>
                </Table>
              )}
            </>
          );
        }}
      </Loaded>
      {isCreating && <CredentialDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

/** `owner` is undefined if the owner column is not shown. */
function CredentialRow({ credential, owner }: { credential: Credential; owner: string | undefined }) {
  const { t } = useLingui();
  const { date, dateTime } = useFormats();
  const heading = useHeadingFocus<HTMLTableRowElement>();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [isRevoking, setRevoking] = useState(false);
  const { name, client_id, last_used_at, expires_at, revoked_at } = credential;
  const state = stateOf(credential);
  const revoke = useMutation({
    mutationFn: () => sheaf.revokeCredential(client_id),
    onSuccess: () => notify(t`The credential ${name} was revoked.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: async () => {
      setRevoking(false);
      const focusHeading = heading.keep();
      await queries.invalidateQueries({ queryKey: credentialsQuery.queryKey });
      focusHeading();
    },
  });
  return (
    <tr ref={heading.ref}>
      <Cell className="min-w-56">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium break-words">{name}</span>
          {state === "revoked" && <Badge tone="danger">{t`Revoked`}</Badge>}
          {state === "expired" && <Badge tone="warning">{t`Expired`}</Badge>}
        </div>
        <code className="font-mono text-[0.8rem] break-all text-muted">{client_id}</code>
      </Cell>
      {owner !== undefined && <Cell>{owner}</Cell>}
      <Cell className="whitespace-nowrap">
        {last_used_at === null ? <span className="text-muted">{t`Never`}</span> : dateTime(last_used_at)}
      </Cell>
      <Cell className="whitespace-nowrap">{date(credential.created_at)}</Cell>
      <Cell className="whitespace-nowrap">
        {revoked_at !== null ? t`Revoked on ${date(revoked_at)}` : expires_at === null ? t`Never` : date(expires_at)}
      </Cell>
      <Cell className="text-right">
        {state !== "revoked" && (
          <Button small look="danger" aria-label={t`Revoke: ${name}`} onClick={() => setRevoking(true)}>
            {t`Revoke`}
          </Button>
        )}
        <ConfirmDialog
          open={isRevoking}
          onOpenChange={setRevoking}
          title={t`Revoke the credential ${name}?`}
          description={t`The program that uses it is refused from the next request on. This cannot be undone.`}
          action={t`Revoke`}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate()}
        />
      </Cell>
    </tr>
  );
}
