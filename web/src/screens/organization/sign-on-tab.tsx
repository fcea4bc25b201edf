/** Settings for signing in with the organization's identity provider. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { SignOn } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Badge, Card } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Loaded } from "./loaded.tsx";
import { organizationSignOnQuery } from "./organization.queries.ts";
import { ScimSection } from "./scim-section.tsx";
import { SignOnForm } from "./sign-on-form.tsx";

export function SignOnTab() {
  const { t } = useLingui();
  return (
    <Loaded query={useQuery(organizationSignOnQuery)}>
      {(signOn) => (
        <>
          <Section
            title={t`Before you begin`}
            description={t`Members sign in with the provider of your organization, by OpenID Connect, instead of a password.`}
          >
            <Requirements signOn={signOn} />
          </Section>
          {signOn.redirect_uri !== null && signOn.domains.length > 0 && (
            <Section
              title={t`Provider`}
              actions={
                signOn.provider === null ? (
                  <Badge>{t`Not set up`}</Badge>
                ) : (
                  <>
                    <Badge tone="success">{t`Active`}</Badge>
                    <TurnOff />
                  </>
                )
              }
            >
              <SignOnForm key={signOn.provider?.updated_at} provider={signOn.provider} />
            </Section>
          )}
          {signOn.scim_url !== null && signOn.domains.length > 0 && <ScimSection url={signOn.scim_url} />}
        </>
      )}
    </Loaded>
  );
}

function Requirements({ signOn: { redirect_uri, domains } }: { signOn: SignOn }) {
  const { t } = useLingui();
  return (
    <Card className="flex max-w-2xl flex-col gap-4">
      <div>
        <p className="mb-1 text-[0.9rem] font-medium">{t`Redirect URI, to register at the provider`}</p>
        {redirect_uri === null ? (
          <p className="text-muted">{t`The operator of the service must set its public URL (SHEAF_PUBLIC_URL) first.`}</p>
        ) : (
          <CopyText label={t`Redirect URI, to register at the provider`} text={redirect_uri} />
        )}
      </div>
      <div>
        <p className="mb-1 text-[0.9rem] font-medium">{t`Email domains of the organization`}</p>
        {domains.length > 0 && <p className="font-mono break-all">{domains.join(", ")}</p>}
        <p className="text-[0.9rem] text-muted">
          <Trans>
            Only the operator of the service can change them, with <code>sheaf organization domain add</code>.
          </Trans>
        </p>
      </div>
    </Card>
  );
}

function TurnOff() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutation({
    mutationFn: () => sheaf.deleteSignOn(),
    onSuccess: () => notify(t`Sign-on is off.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => {
      setConfirming(false);
      return queries.invalidateQueries({ queryKey: organizationSignOnQuery.queryKey });
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setConfirming(true)}>{t`Turn sign-on off`}</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={t`Turn sign-on off?`}
        description={t`All sessions that were opened with the provider end, maybe your own too. Members without a password can only sign in again when the operator of the service has set one.`}
        action={t`Turn off`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
