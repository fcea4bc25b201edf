/** Head of the workbench: name of the document, its state, and actions for the whole extraction. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { KeptExtraction } from "@sheaf/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, CheckCheck, ChevronLeft, ChevronRight, FileText, Keyboard, RotateCcw, Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { useFormats } from "../../ui/formats.ts";
import { Badge } from "../../ui/page.tsx";
import { ExportMenu } from "./export-menu.tsx";
import type { RowNode } from "./review-model.ts";
import { SaveWords } from "./save-state.tsx";
import type { useCorrections } from "./use-corrections.ts";
import type { Queue } from "./use-queue.tsx";

const route = getRouteApi("/shell/extractions/$id");

interface WorkbenchHeadProps {
  extraction: KeptExtraction;
  records: readonly RowNode[];
  queue: Queue;
  saving: ReturnType<typeof useCorrections>;
  onHelp: () => void;
  /** True if the document is shown. Only narrow screens have a button that hides it. */
  hasDocument: boolean;
  onDocument: (isShown: boolean) => void;
}

export function WorkbenchHead(props: WorkbenchHeadProps) {
  const { extraction, records, queue, saving, hasDocument, onDocument } = props;
  const { t } = useLingui();
  const { dateTime, number } = useFormats();
  const { agent, status } = route.useSearch();
  const heading = useRef<HTMLHeadingElement>(null);
  const { filename, reviewed_at: reviewedAt } = extraction;
  const isReviewed = extraction.status === "reviewed";
  useEffect(() => {
    document.title = `${filename} · Sheaf`;
    heading.current?.focus({ preventScroll: true });
  }, [filename]);
  const queueSearch = { ...(agent !== undefined && { agent }), ...(status !== undefined && { status }) };
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-3 py-1.5 md:flex-nowrap">
      <Link
        to="/extractions"
        search={queueSearch}
        aria-label={t`All extractions`}
        title={t`All extractions`}
        className="inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
      >
        <ArrowLeft size={18} aria-hidden />
      </Link>
      <h1
        ref={heading}
        tabIndex={-1}
        title={filename}
        className="min-w-0 truncate font-semibold outline-none max-md:flex-1"
      >
        {filename}
      </h1>
      <span title={reviewedAt === null ? undefined : dateTime(reviewedAt)}>
        {isReviewed ? (
          <Badge tone="success">
            <Trans>Reviewed</Trans>
          </Badge>
        ) : (
          <Badge>
            <Trans>To review</Trans>
          </Badge>
        )}
      </span>
      <SaveWords state={saving.state} hasChanges={saving.corrections.length > 0} />
      <span className="grow max-md:hidden" />
      <span className="flex items-center">
        <IconButton label={t`Previous document ([)`} disabled={!queue.openPrevious} onClick={queue.openPrevious}>
          <ChevronLeft size={18} aria-hidden />
        </IconButton>
        {queue.position !== undefined && (
          <span className="text-[0.85rem] whitespace-nowrap text-muted tabular-nums">
            <Trans>
              {number(queue.position.index + 1)} of {number(queue.position.length)}
            </Trans>
          </span>
        )}
        <IconButton label={t`Next document (])`} disabled={!queue.openNext} onClick={queue.openNext}>
          <ChevronRight size={18} aria-hidden />
        </IconButton>
        <IconButton label={t`Undo (u)`} disabled={!saving.canUndo} onClick={saving.undo}>
          <Undo2 size={18} aria-hidden />
        </IconButton>
        <IconButton label={t`Keyboard (?)`} onClick={props.onHelp} className="max-sm:hidden">
          <Keyboard size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={hasDocument ? t`Hide the document` : t`Show the document`}
          aria-pressed={hasDocument}
          onClick={() => onDocument(!hasDocument)}
          className={classes("md:hidden", hasDocument && "bg-accent-soft text-accent")}
        >
          <FileText size={18} aria-hidden />
        </IconButton>
      </span>
      <ExportMenu extraction={extraction} records={records} />
      {isReviewed ? (
        <Button small busy={queue.isMarking} onClick={queue.reopen}>
          <RotateCcw size={16} aria-hidden />
          <Trans>Review again</Trans>
        </Button>
      ) : (
        <Button small look="primary" busy={queue.isMarking} onClick={queue.markReviewed} aria-keyshortcuts="r">
          <CheckCheck size={16} aria-hidden />
          <Trans>Mark as reviewed</Trans>
        </Button>
      )}
    </header>
  );
}
