/** Input for a code of the second factor: from the authenticator app, or a recovery code. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field, Input } from "../ui/field.tsx";

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** True if the service refused the last code. */
  isWrong: boolean;
  /** True if only codes of the authenticator app are accepted; false if recovery codes are, too. */
  onlyApp?: boolean;
}

export function CodeField({ value, onChange, isWrong, onlyApp = false }: CodeFieldProps) {
  const { t } = useLingui();
  const [isRecovery, setRecovery] = useState(false);
  const wrong = isRecovery
    ? t`This recovery code is wrong, or was used already.`
    : t`This code is wrong, or was used already. Wait for the next one in the app.`;
  return (
    <div className="flex flex-col items-start gap-2">
      <Field
        className="w-full"
        label={isRecovery ? t`Recovery code` : t`Code of your authenticator app`}
        description={
          isRecovery
            ? t`One of the codes that you stored when you set up the app.`
            : t`Six digits that change every half minute.`
        }
        error={isWrong ? wrong : undefined}
      >
        <Input
          // Phones choose their keyboard when an input gets the focus. A new key for each kind of
          // code creates a new input, so that the right keyboard appears.
          key={String(isRecovery)}
          name="code"
          autoComplete="one-time-code"
          inputMode={isRecovery ? "text" : "numeric"}
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={40}
          autoFocus
          className="font-mono tracking-wider"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      {!onlyApp && (
        <Button
          small
          look="quiet"
          className="-ml-2.5"
          onClick={() => {
            setRecovery(!isRecovery);
            onChange("");
          }}
        >
          {isRecovery ? <Trans>Use the authenticator app</Trans> : <Trans>Use a recovery code</Trans>}
        </Button>
      )}
    </div>
  );
}

/** Returns true if the service needs a code, or has refused the code that was sent. */
export const isCodeRequired = (error: unknown): boolean =>
  error instanceof SheafError && error.code === "second_factor_required";
