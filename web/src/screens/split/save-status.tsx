/** Shows whether the corrections are saved and, if not, what the user can do. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import type { Saving } from "./kept-split.ts";

interface SaveStatusProps {
  saving: Saving;
  /** Discards this user's changes and shows the version of the other user. */
  onReload: () => void;
}

export function SaveStatus({ saving: { state, error, retry }, onReload }: SaveStatusProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  if (state === "none") return null;
  if (state === "saved" || state === "saving")
    return (
      <p role="status" className="mb-2 text-[0.9rem] text-muted">
        {state === "saved" ? t`All changes saved` : t`Saving…`}
      </p>
    );
  return (
    <div
      role="alert"
      className="my-3 flex flex-wrap items-center gap-3 rounded-xl border border-danger/50 bg-danger-soft p-3"
    >
      <p className="grow">
        {state === "conflict" ? t`Somebody else has corrected this file in the meantime.` : wordsOf(error)}
      </p>
      {state === "conflict" && (
        <Button small onClick={onReload}>
          <Trans>Take the other version</Trans>
        </Button>
      )}
      <Button small onClick={retry}>
        {state === "conflict" ? t`Keep my version` : t`Try again`}
      </Button>
    </div>
  );
}
