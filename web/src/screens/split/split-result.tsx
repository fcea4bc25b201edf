/** Shows a classification: still running, failed, or with its result. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { slowPollMs, useIsLive } from "../../app/live-states.ts";
import { Failure, Loading } from "../../ui/page.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { keptQuery } from "./kept-split.ts";
import { SegmentsEditor } from "./segments-editor.tsx";

const firstPauseMs = 700;
const maxPauseMs = 5_000;

const classificationQuery = (id: string, isLive: boolean) =>
  queryOptions({
    queryKey: ["classification", id],
    queryFn: ({ signal }) => sheaf.getClassification(id, { signal }),
    // Continues to poll after a failed request, because the classification continues.
    refetchInterval: ({ state }) =>
      state.data?.status === "started" &&
      (isLive ? slowPollMs : Math.min(firstPauseMs * 1.3 ** state.dataUpdateCount, maxPauseMs)),
    // A finished result never changes.
    staleTime: ({ state }) => (state.data?.status === "success" ? Number.POSITIVE_INFINITY : 0),
  });

export function SplitResult({ id, owner }: { id: string; owner: string }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { data, error, refetch } = useQuery(classificationQuery(id, useIsLive()));
  const kept = useQuery({ ...keptQuery(id), enabled: data?.status === "success" });
  const [reloads, setReloads] = useState(0);
  if (data === undefined) {
    if (error === null) return <Loading />;
    const isGone = error instanceof SheafError && error.code === "not_found";
    return isGone ? (
      <Failure
        message={t`This result does not exist any more: results are kept for seven days. Choose the file again.`}
      />
    ) : (
      <Failure message={wordsOf(error)} onRetry={() => void refetch()} />
    );
  }
  if (data.status === "started")
    return (
      <div role="status" className="flex flex-col items-center gap-3 p-12 text-center">
        <Spinner size={28} />
        <p className="font-medium">
          <Trans>The file is read and classified…</Trans>
        </p>
        <p className="max-w-md text-muted">
          <Trans>Long scans take a few minutes. You may leave this page: the result is kept for seven days.</Trans>
        </p>
      </div>
    );
  if (data.status === "error") {
    if (data.code === "classification_failed") return <Failure message={t`The file could not be processed.`} />;
    return <Failure message={wordsOf(new SheafError(data.code, data.error))} />;
  }
  if (kept.isPending) return <Loading />;
  return (
    <SegmentsEditor
      key={reloads}
      id={id}
      owner={owner}
      result={data.data}
      kept={kept.data ?? null}
      onReload={async () => {
        await kept.refetch();
        setReloads(reloads + 1);
      }}
    />
  );
}
