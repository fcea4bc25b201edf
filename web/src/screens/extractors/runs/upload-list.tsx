/** Lists the files that are being read, each with its state and, if it failed, the reason. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { CircleAlert, CircleCheck, Clock, RotateCw } from "lucide-react";
import { useEffect } from "react";
import { queryClient, sessionQuery } from "../../../app/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { useFormats } from "../../../ui/formats.ts";
import { Card } from "../../../ui/page.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { DropZone } from "../drop-zone.tsx";
import { keptExtractionsQuery } from "../kept-extractions.queries.ts";
import { ReviewLink } from "../review-link.tsx";
import { runExtractor } from "../run-extractor.ts";
import { useFileWords } from "../use-file-words.ts";
import { type QueuedFile, queueOf, useQueuedFiles } from "./upload-queue.ts";

/** Reads one file. Does not depend on a screen, so it continues when another screen is shown. */
async function readFile(reference: string, file: File): Promise<string | undefined> {
  try {
    const { extractionId } = await runExtractor(reference, file, file.name);
    void queryClient.invalidateQueries({ queryKey: keptExtractionsQuery(reference).queryKey });
    return extractionId;
  } catch (error) {
    // If the session has ended, the shell asks for the password. Failed files can be retried
    // afterwards.
    if (error instanceof SheafError && error.code === "unauthorized")
      queryClient.setQueryData(sessionQuery.queryKey, null);
    throw error;
  }
}

export function UploadList({ reference }: { reference: string }) {
  const { t } = useLingui();
  const queue = queueOf(reference, (file) => readFile(reference, file));
  const files = useQueuedFiles(queue);
  const { isBusy } = queue;
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isBusy]);
  const count = files.length;
  const ended = files.filter(({ state }) => state === "done" || state === "failed").length;
  const failed = files.filter(({ state }) => state === "failed");
  return (
    <div className="flex flex-col gap-4">
      <DropZone
        multiple
        compact={count > 0}
        label={t`Drop documents here, or click to choose them`}
        onFiles={(added) => queue.add(added)}
      />
      {count > 0 && (
        <Card>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
            <p role="status" className="font-medium">
              {t`${ended} of ${plural(count, { one: "# file", other: "# files" })} read`}
              {failed.length > 0 && `, ${t`${plural(failed.length, { one: "# failed", other: "# failed" })}`}`}
            </p>
            <div className="flex gap-2">
              {failed.length > 1 && (
                <Button small onClick={() => failed.forEach(({ id }) => void queue.retry(id))}>
                  <RotateCw size={16} aria-hidden />
                  <Trans>Retry all that failed</Trans>
                </Button>
              )}
              <Button small onClick={() => queue.clear()}>
                {isBusy ? t`Cancel those that wait` : t`Clear the list`}
              </Button>
            </div>
          </div>
          <progress
            aria-label={t`Files read`}
            className="mb-3 h-1.5 w-full overflow-hidden rounded-full accent-accent"
            value={ended}
            max={count}
          />
          <ul className="max-h-72 divide-y divide-line overflow-y-auto">
            {files.map((entry) => (
              <UploadRow key={entry.id} reference={reference} entry={entry} onRetry={() => queue.retry(entry.id)} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

interface UploadRowProps {
  reference: string;
  entry: QueuedFile;
  onRetry: () => void;
}

function UploadRow({ reference, entry, onRetry }: UploadRowProps) {
  const { t } = useLingui();
  const wordsOf = useFileWords();
  const formats = useFormats();
  const { file, state, extractionId, error } = entry;
  const words = { waiting: t`waiting`, running: t`being read…`, done: t`read`, failed: t`failed` };
  const icons = {
    waiting: <Clock size={16} className="text-muted" aria-hidden />,
    running: <Spinner />,
    done: <CircleCheck size={16} className="text-success" aria-hidden />,
    failed: <CircleAlert size={16} className="text-danger" aria-hidden />,
  };
  return (
    <li className="flex items-start gap-3 py-2">
      <span className="mt-1">{icons[state]}</span>
      <div className="min-w-0 grow">
        <p className="break-words">
          {extractionId === undefined ? (
            file.name
          ) : (
            <ReviewLink id={extractionId} agent={reference} status="all">
              {file.name}
            </ReviewLink>
          )}{" "}
          <span className="text-[0.85rem] whitespace-nowrap text-muted">
            {formats.bytes(file.size)}, {words[state]}
          </span>
        </p>
        {state === "failed" && <p className="text-[0.87rem] text-danger">{wordsOf(error)}</p>}
      </div>
      {state === "failed" && (
        <Button small onClick={onRetry} aria-label={t`Retry ${file.name}`}>
          <Trans>Retry</Trans>
        </Button>
      )}
    </li>
  );
}
