/**
 * Screen opened by the link that the service creates at its first start. The link works for one
 * sign-in. The screen then asks for a new password.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { sendsPassword, sessionQuery } from "../../app/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Loading } from "../../ui/page.tsx";
import { useAddSamples } from "../start/sample-state.ts";
import { EntryPage } from "./entry-page.tsx";
import { isPasswordRefused, NewPasswordField } from "./new-password-field.tsx";
import { takeTokenOfLink } from "./token-of-link.ts";

/**
 * The request that uses the token. The token works only once, but React may mount the screen twice,
 * so both mounts share one request.
 */
let signingIn: ReturnType<typeof sheaf.createFirstSession> | undefined;

export function WelcomeScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const addSamples = useAddSamples();
  const token = takeTokenOfLink();
  const signIn = useMutation({
    meta: sendsPassword,
    mutationFn: (link: string) => {
      signingIn ??= sheaf.createFirstSession({ token: link });
      return signingIn;
    },
    onError: (error) => {
      // Allows a retry after a broken connection, but not after the link was used.
      if (!(error instanceof SheafError && error.code === "unauthorized")) signingIn = undefined;
    },
    onSuccess: ({ data }) => queries.setQueryData(sessionQuery.queryKey, data),
  });
  const { mutate } = signIn;
  useEffect(() => {
    if (token !== undefined) mutate(token);
  }, [token, mutate]);

  if (token === undefined || (signIn.error instanceof SheafError && signIn.error.code === "unauthorized"))
    return (
      <EntryPage title={t`This link is not valid`}>
        <div className="flex flex-col gap-3">
          <p>
            <Trans>It was used already, it is older than a day, or a part of it is missing.</Trans>
          </p>
          <p>
            <Trans>
              If you have chosen a password,{" "}
              <Link to="/sign-in" className="underline">
                sign in with it
              </Link>
              . Otherwise restart the service: it prints a new link.
            </Trans>
          </p>
        </div>
      </EntryPage>
    );
  if (signIn.error !== null)
    return (
      <EntryPage title={t`Welcome to Sheaf`}>
        <Failure message={wordsOf(signIn.error)} onRetry={() => mutate(token)} />
      </EntryPage>
    );
  if (!signIn.isSuccess)
    return (
      <EntryPage title={t`Welcome to Sheaf`}>
        <Loading label={t`Signing in…`} />
      </EntryPage>
    );
  return (
    <EntryPage title={t`Welcome to Sheaf`}>
      <ChoosePassword
        email={signIn.data.data.user.email}
        onDone={() => {
          addSamples();
          void navigate({ to: "/", replace: true });
        }}
      >
        <p className="mb-4 text-muted">
          <Trans>
            You are the administrator of this installation. Choose the password for your next sign-in. Your address is{" "}
            <strong className="text-ink">{signIn.data.data.user.email}</strong>.
          </Trans>
        </p>
      </ChoosePassword>
    </EntryPage>
  );
}

interface ChoosePasswordProps {
  email: string;
  onDone: () => void;
  children: ReactNode;
}

function ChoosePassword({ email, onDone, children }: ChoosePasswordProps) {
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => sheaf.changePassword({ new_password: password }),
    onSuccess: ({ data }) => {
      queries.setQueryData(sessionQuery.queryKey, data);
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      {children}
      <div className="flex flex-col gap-4">
        {/* Lets password managers store the address with the password. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <NewPasswordField value={password} onChange={setPassword} error={change.error} autoFocus />
        {change.error !== null && !isPasswordRefused(change.error) && <Failure message={wordsOf(change.error)} />}
        <Button type="submit" look="primary" busy={change.isPending}>
          <Trans>Save the password and start</Trans>
        </Button>
      </div>
    </form>
  );
}
