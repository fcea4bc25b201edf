/** The sign-in form: email address and password, a second-factor code if needed, or a passkey. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field, Input } from "../ui/field.tsx";
import { Failure } from "../ui/page.tsx";
import { sheaf } from "./api.ts";
import { CodeField, isCodeRequired } from "./code-field.tsx";
import { useErrorWords } from "./error-words.tsx";
import { canUsePasskeys, isDismissed, signInWithPasskey } from "./passkey.ts";
import { isUnauthorized, sendsPassword, sessionQuery } from "./queries.ts";

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
  const [code, setCode] = useState("");
  const [asksCode, setAsksCode] = useState(false);
  const address = email.trim();
  const signIn = useMutation({
    meta: sendsPassword,
    mutationFn: (sentCode: string | undefined) =>
      sheaf.createSession({ email: address, password, ...(sentCode !== undefined && { code: sentCode }) }),
    onSuccess: ({ data }) => {
      queries.setQueryData(sessionQuery.queryKey, data);
      onSignedIn?.();
    },
    onError: (error) => {
      if (isCodeRequired(error)) setAsksCode(true);
      else if (isUnauthorized(error)) setAsksCode(false);
    },
  });
  const usePasskey = useMutation({
    meta: sendsPassword,
    mutationFn: signInWithPasskey,
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      onSignedIn?.();
    },
  });
  const goBack = () => {
    setAsksCode(false);
    setCode("");
    signIn.reset();
  };
  const message = (error: unknown) =>
    isUnauthorized(error)
      ? t`Email address or password is wrong.`
      : error instanceof SheafError && error.code === "rate_limited"
        ? asksCode
          ? t`Too many wrong codes. Wait a while before you try again.`
          : t`Too many wrong passwords. Wait a while before you try again.`
        : wordsOf(error);
  if (asksCode)
    return (
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(code);
        }}
      >
        <p className="text-muted">
          <Trans>The password of {address} is right. Now enter a code of your second factor.</Trans>
        </p>
        <CodeField
          value={code}
          onChange={setCode}
          isWrong={isCodeRequired(signIn.error) && signIn.variables !== undefined}
        />
        {signIn.error !== null && !isCodeRequired(signIn.error) && <Failure message={message(signIn.error)} />}
        <Button type="submit" look="primary" busy={signIn.isPending}>
          <Trans>Sign in</Trans>
        </Button>
        <Button look="quiet" onClick={goBack}>
          <Trans>Back</Trans>
        </Button>
      </form>
    );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(undefined);
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
      {canUsePasskeys() && (
        <Button busy={usePasskey.isPending} onClick={() => usePasskey.mutate()}>
          <KeyRound size={16} aria-hidden />
          <Trans>Sign in with a passkey</Trans>
        </Button>
      )}
      {usePasskey.error !== null && !isDismissed(usePasskey.error) && (
        <Failure
          message={
            isUnauthorized(usePasskey.error)
              ? t`This passkey is not known here any more. Sign in with your password.`
              : wordsOf(usePasskey.error)
          }
        />
      )}
    </form>
  );
}
