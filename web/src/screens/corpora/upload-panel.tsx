/** Progress of the uploads to one corpus. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, CircleAlert, Clock, Pause, Play, RotateCcw, X } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Card } from "../../ui/page.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { totalsOf, type UploadItem, type UploadState, type UploadTotals } from "./upload-queue.ts";
import { cancelUploads, clearUploads, pauseUploads, resumeUploads, retryUploads, useUploads } from "./upload-store.ts";
import { useUploadWords } from "./upload-words.ts";

/** Sort order of the states: files with a problem come first. */
const order: Record<UploadState, number> = { failed: 0, refused: 0, exists: 1, sending: 2, waiting: 3, done: 4 };

export function UploadPanel({ corpus }: { corpus: string }) {
  const { t } = useLingui();
  const { items, pausedBy, resumesAt } = useUploads();
  const own = useMemo(
    () => items.filter((item) => item.corpus === corpus).sort((a, b) => order[a.state] - order[b.state] || a.id - b.id),
    [items, corpus],
  );
  const totals = useMemo(() => totalsOf(own), [own]);
  if (own.length === 0) return null;
  const isOpen = totals.open > 0;
  const isWaiting = isOpen && pausedBy === undefined && resumesAt > Date.now();
  return (
    <Card className="mb-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="font-semibold">
            {isOpen ? (
              <Plural value={totals.open} one="Uploading: # file left" other="Uploading: # files left" />
            ) : (
              <Trans>Uploads finished</Trans>
            )}
          </h2>
          <Summary totals={totals} />
        </div>
        <div className="flex flex-wrap gap-2">
          {isOpen &&
            (pausedBy === undefined ? (
              <Button small onClick={pauseUploads}>
                <Pause size={15} aria-hidden />
                <Trans>Pause</Trans>
              </Button>
            ) : (
              <Button small look="primary" onClick={resumeUploads}>
                <Play size={15} aria-hidden />
                <Trans>Resume</Trans>
              </Button>
            ))}
          {totals.failed > 0 && (
            <Button small onClick={() => retryUploads()}>
              <RotateCcw size={15} aria-hidden />
              <Plural value={totals.failed} one="Retry # failed file" other="Retry # failed files" />
            </Button>
          )}
          {isOpen ? (
            <Button small onClick={() => cancelUploads({ corpus })}>
              <Trans>Cancel uploads</Trans>
            </Button>
          ) : (
            <Button small onClick={() => clearUploads(corpus)}>
              <Trans>Close</Trans>
            </Button>
          )}
        </div>
      </div>
      {isOpen && (
        <div
          role="progressbar"
          aria-label={t`Upload progress`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percentOf(totals)}
          className="mt-3 h-2 overflow-hidden rounded-full bg-sunken"
        >
          <div className="h-full rounded-full bg-accent" style={{ width: `${percentOf(totals)}%` }} />
        </div>
      )}
      {isOpen && pausedBy !== undefined && (
        <p className="mt-2 text-[0.87rem] text-warning">
          {pausedBy === "session" ? (
            <Trans>Paused until you have signed in again.</Trans>
          ) : (
            <Trans>Paused. Files that are being sent are finished.</Trans>
          )}
        </p>
      )}
      {isWaiting && (
        <p className="mt-2 text-[0.87rem] text-warning">
          <Trans>The service is busy or out of reach. The upload goes on by itself in a moment.</Trans>
        </p>
      )}
      <Announcement totals={totals} />
      <Items items={own} />
    </Card>
  );
}

const percentOf = ({ bytes, sentBytes }: UploadTotals): number =>
  bytes === 0 ? 100 : Math.floor((sentBytes / bytes) * 100);

function Summary({ totals }: { totals: UploadTotals }) {
  const { t } = useLingui();
  const { done, exists, failed, refused } = totals;
  return (
    <p className="flex flex-wrap gap-x-3 text-[0.87rem] text-muted">
      {done > 0 && <span>{t`${done} uploaded`}</span>}
      {exists > 0 && <span>{t`${exists} already there`}</span>}
      {failed > 0 && <span>{t`${failed} failed`}</span>}
      {refused > 0 && <span>{t`${refused} not sent`}</span>}
    </p>
  );
}

/**
 * Announces the progress only after each quarter and at the end, because more announcements would
 * interrupt users of screen readers too often.
 */
function Announcement({ totals }: { totals: UploadTotals }) {
  const { t } = useLingui();
  const { files, open, done, exists, failed, refused } = totals;
  const [text, setText] = useState("");
  const problems = failed + refused + exists;
  const milestone = open === 0 ? "end" : Math.floor(((files - open) / files) * 4);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only milestones are announced
  useEffect(() => {
    setText(
      milestone === "end"
        ? t`Uploads finished. ${done} uploaded, ${problems} with a note.`
        : t`${done} of ${files} files uploaded.`,
    );
  }, [milestone]);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

function Items({ items }: { items: readonly UploadItem[] }) {
  const { t } = useLingui();
  const scroller = useRef<HTMLUListElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 6,
  });
  return (
    <ul
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={t`Files`}
      className="mt-3 max-h-72 overflow-y-auto border-t border-line"
    >
      <li aria-hidden style={{ height: rows.getVirtualItems()[0]?.start ?? 0 }} />
      {rows.getVirtualItems().map(({ index, key }) => {
        const item = items[index];
        return (
          item && (
            <li key={key} data-index={index} ref={rows.measureElement} className="border-b border-line">
              <ItemRow item={item} />
            </li>
          )
        );
      })}
      <li aria-hidden style={{ height: rows.getTotalSize() - (rows.getVirtualItems().at(-1)?.end ?? 0) }} />
    </ul>
  );
}

function ItemRow({ item }: { item: UploadItem }) {
  const { t } = useLingui();
  const wordsOf = useUploadWords();
  const { bytes } = useFormats();
  const { id, corpus, name, path, size, sent, state, document } = item;
  const percent = size === 0 ? 0 : Math.floor((sent / size) * 100);
  const words: Record<UploadState, ReactNode> = {
    waiting: <Trans>Waiting</Trans>,
    sending: percent < 100 ? <Trans>{percent} % sent</Trans> : <Trans>Being checked…</Trans>,
    done: <Trans>Uploaded</Trans>,
    exists: <Trans>A document with this name is already there.</Trans>,
    failed: wordsOf(item),
    refused: wordsOf(item),
  };
  const isProblem = state === "failed" || state === "refused";
  return (
    <div className="flex items-start gap-3 py-2 pr-1">
      <StateIcon state={state} />
      <div className="min-w-0 grow">
        <p className="truncate" title={path === "" ? name : `${path}/${name}`}>
          {path !== "" && <span className="text-muted">{path}/</span>}
          {name}
        </p>
        <p className={`text-[0.85rem] ${isProblem ? "text-danger" : "text-muted"}`}>
          {words[state]}
          {(state === "waiting" || state === "sending") && ` · ${bytes(size)}`}
          {state === "exists" && document !== undefined && (
            <>
              {" "}
              <Link
                to="/corpora/$reference/documents/$documentReference"
                params={{ reference: corpus, documentReference: document }}
                className="text-accent underline"
              >
                <Trans>Open it</Trans>
                <span className="sr-only">{name}</span>
              </Link>
            </>
          )}
        </p>
      </div>
      {state === "failed" && (
        <IconButton label={t`Retry ${name}`} onClick={() => retryUploads(id)}>
          <RotateCcw size={16} aria-hidden />
        </IconButton>
      )}
      {(state === "waiting" || state === "sending") && (
        <IconButton label={t`Cancel ${name}`} onClick={() => cancelUploads({ id })}>
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function StateIcon({ state }: { state: UploadState }) {
  const size = { size: 18, "aria-hidden": true, className: "mt-0.5 shrink-0" } as const;
  if (state === "done") return <Check {...size} className={`${size.className} text-success`} />;
  if (state === "waiting") return <Clock {...size} className={`${size.className} text-muted`} />;
  if (state === "sending")
    return (
      <span className="mt-0.5 shrink-0 text-accent">
        <Spinner size={18} />
      </span>
    );
  return (
    <CircleAlert {...size} className={`${size.className} ${state === "exists" ? "text-warning" : "text-danger"}`} />
  );
}
