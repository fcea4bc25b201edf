// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned, which a table element does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: cells of a table are not interactive
/** Shows folders and documents in rows. Only the rows in view are rendered. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { Document } from "@sheaf/client";
import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { FileText, Folder, Trash2, UploadCloud } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { useFormats } from "../../ui/formats.ts";
import { documentExtensions } from "./file-rules.ts";
import type { FolderRow, Row } from "./folder-view.ts";
import { StateBadge } from "./state-badge.tsx";
import { useReadingWords } from "./upload-words.ts";

interface DocumentTableProps {
  corpus: string;
  rows: readonly Row[];
  /** True if the documents come from several folders. In that case, each row shows its folder. */
  showsPaths: boolean;
  mayManage: boolean;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onOpenFolder: (path: string) => void;
  onDelete: (document: Document) => void;
  onReplace: (file: File, document: Document) => void;
}

const columns =
  "grid grid-cols-[auto_1fr_auto] sm:grid-cols-[auto_1fr_8rem_auto] lg:grid-cols-[auto_1fr_10rem_6rem_8rem_auto]";
const wide = "hidden lg:block";

export function DocumentTable(props: DocumentTableProps) {
  const { rows, mayManage, selected, onSelect } = props;
  const { t } = useLingui();
  const body = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    // The rows move during an upload, because the height of the area above them changes.
    const measure = () => setOffset(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 53,
    overscan: 12,
    scrollMargin: offset,
    getItemKey: (index) => keyOf(rows[index]),
  });
  const references = rows.flatMap((row) => (row.kind === "document" ? [row.document.reference] : []));
  const canSelect = mayManage && references.length > 0;
  const areAllSelected = references.length > 0 && references.every((each) => selected.has(each));
  return (
    <div
      role="table"
      aria-label={t`Documents`}
      aria-rowcount={rows.length + 1}
      className="rounded-xl border border-line bg-surface text-[0.93rem]"
    >
      <div
        role="row"
        aria-rowindex={1}
        className={classes(columns, "items-center border-b border-line text-[0.85rem] text-muted")}
      >
        <div role={canSelect ? "columnheader" : "cell"} className="flex w-12 justify-center py-2.5">
          {canSelect && (
            <input
              type="checkbox"
              aria-label={t`Select all documents shown`}
              className="size-4 accent-accent"
              checked={areAllSelected}
              onChange={() => onSelect(new Set(areAllSelected ? [] : references))}
            />
          )}
        </div>
        <div role="columnheader" className="py-2.5 font-medium">
          <Trans>Name</Trans>
        </div>
        <div role="columnheader" className="hidden font-medium sm:block">
          <Trans>State</Trans>
        </div>
        <div role="columnheader" className={classes(wide, "font-medium")}>
          <Trans>Size</Trans>
        </div>
        <div role="columnheader" className={classes(wide, "font-medium")}>
          <Trans>Uploaded</Trans>
        </div>
        <div role="columnheader" className="w-22">
          <span className="sr-only">
            <Trans>Actions</Trans>
          </span>
        </div>
      </div>
      <div ref={body} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                className={classes(
                  columns,
                  "absolute inset-x-0 top-0 items-center",
                  index > 0 && "border-t border-line",
                )}
                style={{ transform: `translateY(${start - offset}px)` }}
              >
                {row.kind === "folder" ? (
                  <FolderCells folder={row} onOpen={props.onOpenFolder} />
                ) : (
                  <DocumentCells {...props} document={row.document} />
                )}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

const keyOf = (row: Row | undefined): string =>
  row === undefined ? "" : row.kind === "folder" ? `/${row.path}` : row.document.reference;
function FolderCells({ folder, onOpen }: { folder: FolderRow; onOpen: (path: string) => void }) {
  const { name, path, documents, pending, failed } = folder;
  return (
    <>
      <div role="cell" className="flex w-12 justify-center text-accent">
        <Folder size={18} aria-hidden />
      </div>
      <div role="cell" className="min-w-0 py-2.5">
        <button
          type="button"
          onClick={() => onOpen(path)}
          className="max-w-full truncate text-left font-medium hover:underline"
        >
          {name}
        </button>
        <p className="text-[0.85rem] text-muted">
          <Plural value={documents} one="# document" other="# documents" />
          {pending > 0 && (
            <>
              {" · "}
              <Plural value={pending} one="# not ready yet" other="# not ready yet" />
            </>
          )}
          {failed > 0 && (
            <span className="text-danger">
              {" · "}
              <Plural value={failed} one="# failed" other="# failed" />
            </span>
          )}
        </p>
      </div>
      <div role="cell" className="hidden sm:block" />
      <div role="cell" className={wide} />
      <div role="cell" className={wide} />
      <div role="cell" className="w-22" />
    </>
  );
}

function DocumentCells({
  corpus,
  document,
  showsPaths,
  mayManage,
  selected,
  onSelect,
  onDelete,
  onReplace,
}: DocumentTableProps & { document: Document }) {
  const { t } = useLingui();
  const formats = useFormats();
  const readingWords = useReadingWords();
  const { reference, name, path, status, size, created_at } = document;
  return (
    <>
      <div role="cell" className="flex w-12 justify-center">
        {mayManage ? (
          <input
            type="checkbox"
            aria-label={t`Select ${name}`}
            className="size-4 accent-accent"
            checked={selected.has(reference)}
            onChange={() => {
              const next = new Set(selected);
              if (!next.delete(reference)) next.add(reference);
              onSelect(next);
            }}
          />
        ) : (
          <FileText size={17} aria-hidden className="text-muted" />
        )}
      </div>
      <div role="cell" className="min-w-0 py-2.5 pr-2">
        <Link
          to="/corpora/$reference/documents/$documentReference"
          params={{ reference: corpus, documentReference: reference }}
          className="block truncate font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
        {showsPaths && path !== "" && <p className="truncate text-[0.85rem] text-muted">{path}</p>}
        {status === "error" && <p className="text-[0.85rem] text-danger">{readingWords(document)}</p>}
        <div className="mt-1 sm:hidden">
          <StateBadge document={document} />
        </div>
      </div>
      <div role="cell" className="hidden sm:block">
        <StateBadge document={document} />
      </div>
      <div role="cell" className={classes(wide, "text-muted")}>
        {formats.bytes(size)}
      </div>
      <div role="cell" className={classes(wide, "text-muted")}>
        {formats.date(created_at)}
      </div>
      <div role="cell" className="flex w-22 justify-end pr-2">
        {mayManage && status === "error" && <ReplaceButton document={document} onReplace={onReplace} />}
        {mayManage && (
          <IconButton label={t`Delete ${name}`} onClick={() => onDelete(document)}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        )}
      </div>
    </>
  );
}

/** The service does not keep the file of a failed document, so the user has to choose it again. */
function ReplaceButton({
  document,
  onReplace,
}: {
  document: Document;
  onReplace: (file: File, document: Document) => void;
}) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t`File that replaces ${document.name}`}
        accept={documentExtensions.map((each) => `.${each}`).join(",")}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) onReplace(file, document);
        }}
      />
      <IconButton label={t`Upload ${document.name} again`} onClick={() => input.current?.click()}>
        <UploadCloud size={16} aria-hidden />
      </IconButton>
    </>
  );
}
