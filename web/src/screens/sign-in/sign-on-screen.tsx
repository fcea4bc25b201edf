/** Screen to which an organization's identity provider sends the browser back after sign-in. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { sendsPassword, sessionQuery } from "../../app/queries.ts";
import { responseOfProvider, takeTarget } from "../../app/sign-on.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { Failure, Loading } from "../../ui/page.tsx";
import { EntryPage } from "./entry-page.tsx";

/**
 * The request that completes the sign-on. The provider's response works only once, but React may
 * mount the screen twice, so both mounts share one request.
 */
let completing: ReturnType<typeof sheaf.completeSignOn> | undefined;

export function SignOnScreen() {
  const { t } = useLingui();
  const { organizationId } = useParams({ from: "/sign-on/$organizationId" });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const wordsOf = useSignOnWords();
  const { mutate, error } = useMutation({
    meta: sendsPassword,
    mutationFn: () => {
      completing ??= sheaf.completeSignOn({ organization_id: organizationId, response: responseOfProvider });
      return completing;
    },
    onSuccess: ({ data }) => {
      queries.setQueryData(sessionQuery.queryKey, data);
      void navigate({ href: takeTarget(), replace: true });
    },
  });
  const isEmpty = responseOfProvider === "";
  useEffect(() => {
    if (!isEmpty) mutate();
  }, [isEmpty, mutate]);
  if (!isEmpty && error === null)
    return (
      <EntryPage title={t`Sign in`}>
        <Loading label={t`Signing in…`} />
      </EntryPage>
    );
  return (
    <EntryPage title={t`Sign-in failed`}>
      <div className="flex flex-col gap-5">
        <Failure message={isEmpty ? t`The response of the provider is missing.` : wordsOf(error)} />
        <Link to="/sign-in" className={buttonClasses("primary")}>
          <Trans>Try again</Trans>
        </Link>
      </div>
    </EntryPage>
  );
}

function useSignOnWords(): (error: unknown) => string {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const words: Record<string, string> = {
    expired: t`This sign-in took too long, was used already, or was started in another browser.`,
    refused_by_provider: t`The provider of your organization refused the sign-in.`,
    invalid_response: t`The response of the provider is not valid. Tell an administrator of your organization if it happens again.`,
    unverified_address: t`The provider has not verified your email address. Ask an administrator of your organization.`,
    foreign_domain: t`Your email address does not belong to a domain of this organization.`,
    another_account: t`The member with your email address signs in with another account of the provider. Ask an administrator of your organization.`,
    no_member: t`You were disabled or removed in this organization. Ask an administrator.`,
  };
  return (error) =>
    error instanceof SheafError && error.is("sign_on_failed")
      ? (words[error.detail.reason] ?? wordsOf(error))
      : wordsOf(error);
}
