/** Screen that an invitation link opens. The user joins with an existing account or a new one. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { CodeField, isCodeRequired } from "../../app/code-field.tsx";
import { useErrorWords } from "../../app/error-words.tsx";
import { sendsPassword, sessionQuery } from "../../app/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Failure } from "../../ui/page.tsx";
import { EntryPage } from "./entry-page.tsx";
import { isPasswordRefused, NewPasswordField } from "./new-password-field.tsx";
import { takeTokenOfLink } from "./token-of-link.ts";

export function InvitationScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const token = takeTokenOfLink();
  const { data: session } = useQuery(sessionQuery);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [asksCode, setAsksCode] = useState(false);
  const accept = useMutation({
    meta: sendsPassword,
    mutationFn: (sentCode: string | undefined) =>
      sheaf.acceptInvitation({
        token: token ?? "",
        password,
        ...(name.trim() !== "" && { name: name.trim() }),
        ...(sentCode !== undefined && { code: sentCode }),
      }),
    onError: (error) => {
      if (isCodeRequired(error)) setAsksCode(true);
    },
    onSuccess: ({ data }) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, data);
      void navigate({ to: "/", replace: true });
    },
  });
  const isGone = accept.error instanceof SheafError && accept.error.code === "invitation_not_found";
  if (token === undefined || isGone)
    return (
      <EntryPage title={t`This invitation is not valid`}>
        <p>
          <Trans>
            It was accepted or withdrawn already, it has expired, or a part of the link is missing. Ask the
            administrator who invited you for a new one.
          </Trans>
        </p>
      </EntryPage>
    );
  return (
    <EntryPage title={t`Join your organization`}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          accept.mutate(asksCode ? code : undefined);
        }}
      >
        <p className="text-muted">
          {session ? (
            <Trans>
              You are signed in as {session.user.email}. If the invitation is for this address, you join with this
              account; otherwise with another one.
            </Trans>
          ) : (
            <Trans>
              Choose a password for your new account. If you have an account with the invited address already, enter its
              password.
            </Trans>
          )}
        </p>
        <Field label={t`Your name`} description={t`For a new account; others see it.`}>
          <Input
            name="name"
            autoComplete="name"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <NewPasswordField value={password} onChange={setPassword} error={accept.error} />
        {asksCode && (
          <CodeField
            value={code}
            onChange={setCode}
            isWrong={isCodeRequired(accept.error) && accept.variables !== undefined}
          />
        )}
        {accept.error !== null && !isPasswordRefused(accept.error) && !isCodeRequired(accept.error) && (
          <Failure message={wordsOf(accept.error)} />
        )}
        <Button type="submit" look="primary" busy={accept.isPending}>
          <Trans>Join</Trans>
        </Button>
      </form>
    </EntryPage>
  );
}
