/**
 * Sign-in with a password or the provider of an organization. If any organization has a provider,
 * first asks for the email address, whose domain decides how the sign-in continues.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field, Input } from "../ui/field.tsx";
import { Failure, Loading } from "../ui/page.tsx";
import { useErrorWords } from "./error-words.tsx";
import { sendsPassword } from "./queries.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { leaveForProvider, signOnQuery } from "./sign-on.ts";

interface SignInStepsProps {
  email?: string;
  /** Path to return to after sign-on. */
  target: string;
  onSignedIn: () => void;
}

export function SignInSteps({ email: givenEmail = "", target, onSignedIn }: SignInStepsProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { data: isAvailable, isPending } = useQuery(signOnQuery);
  const [email, setEmail] = useState(givenEmail);
  const [usesPassword, setUsesPassword] = useState(false);
  const leave = useMutation({
    meta: sendsPassword,
    mutationFn: () => leaveForProvider(email.trim(), target),
    onSuccess: () => setUsesPassword(true),
  });
  if (isPending) return <Loading />;
  if (usesPassword || isAvailable !== true) return <SignInForm email={email} onSignedIn={onSignedIn} />;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        leave.mutate();
      }}
    >
      <Field label={t`Email address`}>
        <Input
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      {leave.error !== null && <Failure message={wordsOf(leave.error)} />}
      <Button type="submit" look="primary" busy={leave.isPending}>
        <Trans>Continue</Trans>
      </Button>
      <Button look="quiet" onClick={() => setUsesPassword(true)}>
        <Trans>Sign in with a password or passkey</Trans>
      </Button>
    </form>
  );
}
