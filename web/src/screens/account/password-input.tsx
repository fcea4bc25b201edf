/** Input for the current password, which some changes to the account require. */
import { useLingui } from "@lingui/react/macro";
import type { QueryClient } from "@tanstack/react-query";
import { useErrorWords } from "../../app/error-words.tsx";
import { isUnauthorized, sessionQuery } from "../../app/queries.ts";
import { useSession } from "../../app/session.ts";
import { Field, Input } from "../../ui/field.tsx";
import { Failure } from "../../ui/page.tsx";

interface PasswordInputProps {
  value: string;
  onChange: (value: string) => void;
  /** Error of the request that sent the password. */
  error: unknown;
  autoFocus?: boolean;
}

export function PasswordInput({ value, onChange, error, autoFocus = true }: PasswordInputProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { user } = useSession();
  const isWrong = isUnauthorized(error);
  return (
    <>
      <input type="hidden" autoComplete="username" value={user.email} readOnly />
      <Field label={t`Current password`} error={isWrong ? t`This is not your current password.` : undefined}>
        <Input
          type="password"
          autoComplete="current-password"
          required
          autoFocus={autoFocus}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      {error !== null && !isWrong && <Failure message={wordsOf(error)} />}
    </>
  );
}

/**
 * Returns true if the error means that the session has ended. A wrong password causes the same
 * error, so this function asks the service whether the session still exists.
 */
export async function hasSessionEnded(queries: QueryClient, error: unknown): Promise<boolean> {
  if (!isUnauthorized(error)) return false;
  return (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })) === null;
}
