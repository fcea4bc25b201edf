/** Email address and password: on the sign-in screen, and over a screen whose session has ended. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Input } from "../ui/field.tsx";
import { Failure } from "../ui/page.tsx";
import { sheaf } from "./api.ts";
import { useErrorWords } from "./error-words.tsx";
import { sendsPassword, sessionQuery } from "./queries.ts";

interface SignInFormProps {
  email?: string;
  onSignedIn?: () => void;
}

export function SignInForm({ email: givenEmail = "", onSignedIn }: SignInFormProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [email, setEmail] = useState(givenEmail);
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    meta: sendsPassword,
    mutationFn: () => sheaf.createSession({ email: email.trim(), password }),
    onSuccess: ({ data }) => {
      queries.setQueryData(sessionQuery.queryKey, data);
      onSignedIn?.();
    },
  });
  const message = (error: unknown) =>
    error instanceof SheafError && error.code === "unauthorized"
      ? t`Email address or password is wrong.`
      : error instanceof SheafError && error.code === "rate_limited"
        ? t`Too many wrong passwords. Wait a while before you try again.`
        : wordsOf(error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <Field label={t`Email address`}>
        <Input
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus={givenEmail === ""}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label={t`Password`}>
        <Input
          type="password"
          name="password"
          autoComplete="current-password"
          required
          autoFocus={givenEmail !== ""}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {signIn.error !== null && <Failure message={message(signIn.error)} />}
      <Button type="submit" look="primary" busy={signIn.isPending}>
        <Trans>Sign in</Trans>
      </Button>
    </form>
  );
}

/** Asks for the password over the screen, whose inputs stay as they are. */
export function SignInDialog({ email }: { email: string }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  return (
    <Dialog
      open
      title={t`Your session has ended`}
      description={t`Sign in again to go on. Nothing that you typed is lost.`}
    >
      <SignInForm email={email} onSignedIn={() => void queries.invalidateQueries()} />
    </Dialog>
  );
}
