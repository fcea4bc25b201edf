/** Shows whether all changes are saved and, if not, what the user can do. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { KeptExtraction } from "@sheaf/client";
import { CircleAlert, CloudCheck } from "lucide-react";
import { useState } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { SaveState } from "./saver.ts";

type State = SaveState<KeptExtraction>;

export function SaveWords({ state, hasChanges }: { state: State; hasChanges: boolean }) {
  return (
    <p role="status" className="flex items-center gap-1.5 text-[0.85rem] whitespace-nowrap text-muted">
      {state.kind === "saved" && hasChanges && (
        <>
          <CloudCheck size={15} aria-hidden />
          <Trans>All changes saved</Trans>
        </>
      )}
      {(state.kind === "saving" || state.kind === "waiting") && (
        <>
          <Spinner size={13} />
          <Trans>Saving…</Trans>
        </>
      )}
      {(state.kind === "failed" || state.kind === "conflict") && (
        <span className="flex items-center gap-1.5 text-danger">
          <CircleAlert size={15} aria-hidden />
          <Trans>Not saved</Trans>
        </span>
      )}
    </p>
  );
}

interface SaveProblemProps {
  state: State;
  onRetry: () => void;
  onTakeTheirs: (latest: KeptExtraction) => void;
  onKeepMine: (latest: KeptExtraction) => void;
}

/** Banner for problems: it informs the user, or asks which version to keep. */
export function SaveProblem({ state, onRetry, onTakeTheirs, onKeepMine }: SaveProblemProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [isAsking, setAsking] = useState(false);
  if (state.kind === "failed") {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-danger/50 bg-danger-soft px-4 py-2"
      >
        <p className="grow">
          <Trans>Your changes are not saved yet.</Trans> {wordsOf(state.error)}{" "}
          <Trans>They are kept in this browser.</Trans>
        </p>
        <Button small onClick={onRetry}>
          <Trans>Save again</Trans>
        </Button>
      </div>
    );
  }
  if (state.kind !== "conflict") return null;
  const { latest } = state;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-warning/50 bg-warning-soft px-4 py-2"
    >
      <p className="min-w-60 grow">
        <Trans>
          Somebody else has changed this extraction in the meantime, so your changes were not saved. Load the other
          version, or replace it with yours.
        </Trans>
      </p>
      <span className="flex flex-wrap gap-2">
        <Button small onClick={() => setAsking(true)}>
          <Trans>Load the other version</Trans>
        </Button>
        <Button small onClick={() => onKeepMine(latest)}>
          <Trans>Replace it with mine</Trans>
        </Button>
      </span>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Load the other version?`}
        description={t`Your unsaved changes to this extraction are discarded.`}
        action={t`Discard my changes`}
        onConfirm={() => {
          setAsking(false);
          onTakeTheirs(latest);
        }}
      />
    </div>
  );
}
