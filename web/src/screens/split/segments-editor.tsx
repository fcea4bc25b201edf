/** Editor for the segments of a file, usable by keyboard and by pointer. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Classification, KeptClassification } from "@sheaf/client";
import { Download, Redo2, RotateCcw, Undo2 } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { classificationPages } from "../../document/page-sources.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Card } from "../../ui/page.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { correctedSegments, useSavedSegments } from "./kept-split.ts";
import { SaveStatus } from "./save-status.tsx";
import { SegmentCard } from "./segment-card.tsx";
import { useSegmentDownload } from "./segment-files.ts";
import { SegmentPages } from "./segment-pages.tsx";
import { csvOfSegments, exportNameOf, jsonOfSegments } from "./split-export.ts";
import {
  historyOf,
  mergeWithPrevious,
  moveBoundary,
  redone,
  relabel,
  retitle,
  type Segments,
  segmentsOf,
  splitBefore,
  undone,
  withStep,
} from "./split-model.ts";
import { keepSegments, readClasses, readRecent } from "./split-storage.ts";

interface SegmentsEditorProps {
  id: string;
  owner: string;
  result: Classification;
  /**
   * The kept classification; null if the service does not keep the file. In that case, its pages
   * cannot be shown.
   */
  kept: KeptClassification | null;
  /** Called when the user wants to see the version that the other user saved. */
  onReload: () => void;
}

export function SegmentsEditor({ id, owner, result, kept, onReload }: SegmentsEditorProps) {
  const { t } = useLingui();
  const received = useMemo(() => segmentsOf(result.pages_count, result.segments), [result]);
  const [history, setHistory] = useState(() => {
    if (kept?.status === "corrected") return historyOf(correctedSegments(kept, received));
    return historyOf(keptSegments(owner, id, result.pages_count) ?? received);
  });
  const [announced, setAnnounced] = useState("");
  const root = useRef<HTMLDivElement>(null);
  const focusPage = useRef<number>(undefined);
  const { present } = history;
  const { source_name: name, pages_count: pagesCount } = result;
  const count = present.length;
  const isUnchanged = isSame(present, received);
  const showNewer = useCallback(
    (newer: KeptClassification) => {
      setHistory(historyOf(correctedSegments(newer, received)));
      setAnnounced(t`Somebody else changed the documents.`);
    },
    [received, t],
  );
  const saving = useSavedSegments(kept, present, showNewer);
  const download = useSegmentDownload(id, present);
  const [shownPage, setShownPage] = useState<number>();
  const source = useMemo(() => (kept === null ? undefined : classificationPages(kept)), [kept]);
  // The service cuts out segments as they were last saved, and supports this only for PDF files.
  const onDownload =
    kept?.mime === "application/pdf" && saving.state === "saved"
      ? (indexes: readonly number[]) => download.mutate(indexes)
      : undefined;

  // A page that moves to another segment is rendered again, so the focus is moved to its new
  // element.
  useEffect(() => {
    if (focusPage.current === undefined) return;
    root.current?.querySelector<HTMLElement>(`[data-page="${focusPage.current}"]`)?.focus();
    focusPage.current = undefined;
  });

  const show = (next: typeof history, words: string) => {
    if (next === history) return;
    const active = document.activeElement;
    if (active instanceof HTMLElement && active.dataset.page !== undefined)
      focusPage.current ??= Number(active.dataset.page);
    setHistory(next);
    setAnnounced(words);
    keepSegments(owner, { id, name, startedAt: new Date().toISOString(), segments: next.present });
  };
  const step = (next: Segments, words: string) => show(withStep(history, next), words);
  const undo = () => show(undone(history), t`Undone.`);
  const redo = () => show(redone(history), t`Done again.`);

  const actions = {
    toggleStart: (page: number) => {
      const index = present.findIndex(({ start }) => start === page);
      focusPage.current = page;
      if (index === -1) step(splitBefore(present, page), t`A new document begins on page ${page}.`);
      else step(mergeWithPrevious(present, index), t`Page ${page} belongs to the previous document.`);
    },
    merge: (index: number) => {
      focusPage.current = present[index]?.start;
      step(mergeWithPrevious(present, index), t`The document was merged with the previous one.`);
    },
    move: (index: number, page: number) => {
      const next = moveBoundary(present, index, page);
      const start = next[index]?.start ?? page;
      step(next, t`The document begins on page ${start}.`);
    },
    relabel: (index: number, label: string) => step(relabel(present, index, label), t`The class was changed.`),
    retitle: (index: number, title: string) => step(retitle(present, index, title), t`The title was changed.`),
  };

  useUndoKeys(undo, redo);
  const save = (format: "csv" | "json") => {
    const text = format === "csv" ? csvOfSegments(name, present) : jsonOfSegments(name, present);
    const type = format === "csv" ? "text/csv;charset=utf-8" : "application/json";
    saveFile(new Blob([text], { type }), exportNameOf(name, format));
  };
  const labels = useMemo(
    () => [
      ...new Set([
        ...readClasses(owner).map(({ label }) => label.trim()),
        ...received.map(({ label }) => label),
        ...present.map(({ label }) => label),
      ]),
    ],
    [owner, received, present],
  );

  return (
    <div ref={root}>
      <div className="z-20 -mx-4 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line bg-page px-4 py-3 sm:sticky sm:top-12 sm:-mx-8 sm:px-8 lg:top-0">
        <div className="min-w-0">
          <h2 className="font-semibold break-all">{name}</h2>
          <p className="text-[0.9rem] text-muted">
            {t`${plural(pagesCount, { one: "# page", other: "# pages" })}, ${plural(count, { one: "# document", other: "# documents" })}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button small aria-disabled={history.past.length === 0} onClick={undo}>
            <Undo2 size={16} aria-hidden />
            <Trans>Undo</Trans>
          </Button>
          <Button small aria-disabled={history.future.length === 0} onClick={redo}>
            <Redo2 size={16} aria-hidden />
            <Trans>Redo</Trans>
          </Button>
          <Button
            small
            aria-disabled={isUnchanged}
            onClick={() => !isUnchanged && step(received, t`The result is shown as it was received.`)}
          >
            <RotateCcw size={16} aria-hidden />
            <Trans>Reset</Trans>
          </Button>
          <Menu
            trigger={
              <Button small look="primary">
                <Download size={16} aria-hidden />
                <Trans>Export</Trans>
              </Button>
            }
          >
            <MenuItem onClick={() => save("csv")}>{t`CSV, for spreadsheets`}</MenuItem>
            <MenuItem onClick={() => save("json")}>{t`JSON, for programs`}</MenuItem>
            {onDownload !== undefined && (
              <MenuItem onClick={() => onDownload([...present.keys()])}>{t`PDF, a file for each document`}</MenuItem>
            )}
          </Menu>
        </div>
      </div>
      <p className="mb-4 max-w-3xl text-muted">
        <Trans>
          Choose a page to begin a new document there; choose the first page of a document to merge it with the previous
          one. Drag the bar between two documents to move their boundary, or focus it and use the arrow keys.
        </Trans>
      </p>
      <SaveStatus saving={saving} onReload={onReload} />
      <p role="status" className="sr-only">
        {announced}
      </p>
      <datalist id="split-labels">
        {labels.map((label) => (
          <option key={label} value={label} />
        ))}
      </datalist>
      <ol>
        {present.map((segment, index) => (
          <SegmentCard
            // biome-ignore lint/suspicious/noArrayIndexKey: a boundary keeps the focus while it moves
            key={index}
            segments={present}
            segment={segment}
            index={index}
            labelListId="split-labels"
            imageUrl={source?.hasImage ? (page) => source.imageUrl(page, 900) : undefined}
            onShow={source && setShownPage}
            onDownload={onDownload && (() => onDownload([index]))}
            isDownloading={download.isPending && download.variables.includes(index)}
            {...actions}
          />
        ))}
      </ol>
      <DiscoveredClasses result={result} />
      {source && <SegmentPages source={source} name={name} page={shownPage} onClose={() => setShownPage(undefined)} />}
    </div>
  );
}

function DiscoveredClasses({ result: { discovered_classes: found } }: { result: Classification }) {
  if (found.length === 0) return null;
  return (
    <section className="mt-8 max-w-3xl">
      <h2 className="mb-2 text-lg font-semibold">
        <Trans>Classes that Sheaf found itself</Trans>
      </h2>
      <Card>
        <dl className="flex flex-col gap-3">
          {found.map(({ label, description }) => (
            <div key={label}>
              <dt className="font-medium">{label}</dt>
              <dd className="text-muted">{description}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </section>
  );
}

/** Returns the corrections stored in this browser; undefined if they do not match the file. */
function keptSegments(owner: string, id: string, pagesCount: number): Segments | undefined {
  const kept = readRecent(owner).find((each) => each.id === id)?.segments;
  return kept && segmentsOf(pagesCount, kept);
}

const isSame = (a: Segments, b: Segments): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Handles Ctrl+Z and Ctrl+Y (Cmd on a Mac), except in inputs, which have their own undo. */
function useUndoKeys(undo: () => void, redo: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
}
