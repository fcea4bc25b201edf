/**
 * Input for a new password. Shows the rules, and the reason if the service refuses the password.
 */
import { useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { Field, Input } from "../../ui/field.tsx";

interface NewPasswordFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Error of the request that sent the password. */
  error: unknown;
  autoFocus?: boolean;
}

export function NewPasswordField({ value, onChange, error, autoFocus = false }: NewPasswordFieldProps) {
  const { t } = useLingui();
  const isRefused = isPasswordRefused(error);
  return (
    <Field
      label={t`New password`}
      description={t`At least 10 characters. A sentence is easier to remember than a word with special characters.`}
      error={
        isRefused
          ? t`This password is too easy to guess: it is short, common, a sequence, or contains your name or address.`
          : undefined
      }
    >
      <Input
        type="password"
        name="new-password"
        autoComplete="new-password"
        required
        minLength={10}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

export const isPasswordRefused = (error: unknown): boolean =>
  error instanceof SheafError &&
  error.is("invalid_request") &&
  error.detail.issues.some(({ path }) => /password/.test(path));
