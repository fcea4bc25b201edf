/** API access: base URL, credentials, and a switch that turns the API on or off. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Organization } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsAdministrator } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Badge, Card } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { CredentialsSection } from "./credentials-section.tsx";
import { Loaded } from "./loaded.tsx";
import { organizationQuery } from "./organization.queries.ts";

export function ApiTab() {
  const { t } = useLingui();
  return (
    <>
      <Section title={t`Use by programs`}>
        <Loaded query={useQuery(organizationQuery)}>
          {(organization) => <ApiSwitch organization={organization} />}
        </Loaded>
      </Section>
      <CredentialsSection />
      <Section
        title={t`First request`}
        description={t`A program exchanges its client id and client secret for a token, which is valid for an hour, and sends the token with each request.`}
      >
        <Card className="flex flex-col gap-4">
          <div>
            <p className="mb-1 text-[0.9rem] font-medium">
              <Trans>Base URL</Trans>
            </p>
            <CopyText label={t`Base URL`} text={location.origin} />
          </div>
          <Snippet label={t`Get a token`} text={tokenSnippet(location.origin)} />
          <Snippet label={t`List the extractors and corpora`} text={listSnippet(location.origin)} />
        </Card>
      </Section>
    </>
  );
}

function ApiSwitch({ organization }: { organization: Organization }) {
  const { t } = useLingui();
  const isAdministrator = useIsAdministrator();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [isConfirming, setConfirming] = useState(false);
  const isOn = organization.api_enabled;
  const set = useMutation({
    mutationFn: (api_enabled: boolean) => sheaf.updateOrganization({ api_enabled }),
    onSuccess: ({ data }) => {
      queries.setQueryData(organizationQuery.queryKey, data);
      notify(data.api_enabled ? t`Programs may use the API again.` : t`Programs may not use the API any more.`);
    },
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => setConfirming(false),
  });
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4">
      <div className="min-w-0 grow basis-72">
        <p className="mb-1">
          {isOn ? <Badge tone="success">{t`API on`}</Badge> : <Badge tone="danger">{t`API off`}</Badge>}
        </p>
        <p className="text-muted">
          {isOn
            ? t`Programs may use this organization with the credentials below.`
            : t`Every request with a token is refused. The web application works as usual.`}
        </p>
        {!isAdministrator && (
          <p className="mt-1 text-[0.87rem] text-muted">
            <Trans>Only an administrator can switch the API on or off.</Trans>
          </p>
        )}
      </div>
      {isAdministrator &&
        (isOn ? (
          <Button look="danger" onClick={() => setConfirming(true)}>{t`Switch the API off`}</Button>
        ) : (
          <Button look="primary" busy={set.isPending} onClick={() => set.mutate(true)}>{t`Switch the API on`}</Button>
        ))}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={t`Switch the API off?`}
        description={t`All programs of this organization are refused from the next request on. You can switch the API on again here.`}
        action={t`Switch off`}
        busy={set.isPending}
        onConfirm={() => set.mutate(false)}
      />
    </Card>
  );
}

function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="mb-1 text-[0.9rem] font-medium">{label}</p>
      <div className="whitespace-pre-wrap">
        <CopyText label={label} text={text} />
      </div>
    </div>
  );
}

const tokenSnippet = (base: string): string =>
  [`curl -s -u "$CLIENT_ID:$CLIENT_SECRET" \\`, `  -d grant_type=client_credentials \\`, `  ${base}/v2/token`].join(
    "\n",
  );

const listSnippet = (base: string): string => `curl -s -H "x-api-key: $TOKEN" ${base}/v2/agents`;
