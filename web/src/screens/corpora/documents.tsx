/** Upload area, filters and list of the documents of a corpus. */
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { Document } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, FilePlus2, FolderPlus, Search, Trash2, Upload } from "lucide-react";
import { type DragEvent, useEffect, useMemo, useRef, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsAdministrator } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Empty, Failure, Loading } from "../../ui/page.tsx";
import { type DocumentState, documentStates, isPending } from "./document-state.ts";
import { DocumentTable } from "./document-table.tsx";
import { chosenFiles, droppedFiles } from "./dropped-files.ts";
import { documentExtensions } from "./file-rules.ts";
import { crumbsOf, isWithin, rowsOf } from "./folder-view.ts";
import { documentsQuery, uploadLimitQuery } from "./queries.ts";
import type { DocumentsSearch } from "./search-params.ts";
import { UploadPanel } from "./upload-panel.tsx";
import { addUploads, type FileToUpload } from "./upload-store.ts";
import { useStateWords } from "./upload-words.ts";
import { useDocuments } from "./use-documents.ts";

interface DocumentsProps {
  corpus: string;
  search: DocumentsSearch;
  onSearch: (changes: DocumentsSearch) => void;
}

export function Documents({ corpus, search, onSearch }: DocumentsProps) {
  const { t, i18n } = useLingui();
  const wordsOf = useErrorWords();
  const stateWords = useStateWords();
  const mayManage = useIsAdministrator();
  const { data, error, refetch } = useDocuments(corpus);
  const uploadLimit = useQuery({ ...uploadLimitQuery, enabled: mayManage }).data ?? undefined;
  const { folder = "", state } = search;
  const [name, setName] = useState(search.name ?? "");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<readonly Document[]>();
  const rows = useMemo(
    () => rowsOf(data ?? [], { folder, name, state }, new Intl.Collator(i18n.locale, { numeric: true })),
    [data, folder, name, state, i18n.locale],
  );
  const chosen = useMemo(() => (data ?? []).filter(({ reference }) => selected.has(reference)), [data, selected]);
  const add = (files: readonly FileToUpload[]) => addUploads(corpus, files, uploadLimit);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening another folder clears the selection
  useEffect(() => setSelected(new Set()), [folder]);
  useEffect(() => {
    // Updates the filter in the URL only after a pause in typing.
    const timer = setTimeout(() => {
      if (name !== (search.name ?? "")) onSearch({ name: name === "" ? undefined : name } as DocumentsSearch);
    }, 400);
    return () => clearTimeout(timer);
  }, [name, search.name, onSearch]);

  if (error !== null && data === undefined) return <Failure message={wordsOf(error)} onRetry={() => refetch()} />;
  if (data === undefined) return <Loading />;
  const isFiltered = name !== "" || state !== undefined;
  const open = (path: string) =>
    onSearch({ folder: path === "" ? undefined : path, name: undefined } as unknown as DocumentsSearch);
  return (
    <DropArea isActive={mayManage} folder={folder} onFiles={add}>
      {mayManage && <UploadButtons folder={folder} onFiles={add} isProminent={data.length === 0} />}
      <UploadPanel corpus={corpus} />
      {data.length === 0 ? (
        !mayManage && (
          <Empty title={<Trans>There are no documents yet</Trans>}>
            <Trans>An administrator can add documents to this corpus.</Trans>
          </Empty>
        )
      ) : (
        <>
          <div className="mb-4 flex flex-wrap items-end gap-3">
            <Field label={t`Find by name`} className="min-w-48 grow sm:max-w-xs">
              <Input
                className="h-10"
                type="search"
                value={name}
                onChange={(event) => setName(event.target.value)}
                placeholder={t`Part of the name`}
              />
            </Field>
            <Field label={t`State`} className="w-40">
              <Select
                className="h-10"
                value={state ?? ""}
                onChange={(event) => {
                  const value = event.target.value;
                  onSearch({ state: value === "" ? undefined : (value as DocumentState) } as DocumentsSearch);
                }}
              >
                <option value="">{t`All`}</option>
                {documentStates.map((each) => (
                  <option key={each} value={each}>
                    {stateWords(each)}
                  </option>
                ))}
              </Select>
            </Field>
            <p role="status" className="ml-auto py-2 text-[0.9rem] text-muted">
              {isFiltered ? (
                <Plural value={rows.length} one="# document found" other="# documents found" />
              ) : (
                <Totals documents={data} folder={folder} />
              )}
            </p>
          </div>
          {folder !== "" && <Crumbs folder={folder} onOpen={open} />}
          {chosen.length > 0 && (
            <div className="mb-3 flex flex-wrap items-center gap-3 rounded-lg bg-accent-soft px-4 py-2">
              <p className="grow">
                <Plural value={chosen.length} one="# document selected" other="# documents selected" />
              </p>
              <Button small onClick={() => setSelected(new Set())}>
                <Trans>Clear selection</Trans>
              </Button>
              <Button small look="danger" onClick={() => setDeleting(chosen)}>
                <Trash2 size={15} aria-hidden />
                <Trans>Delete</Trans>
              </Button>
            </div>
          )}
          {rows.length === 0 ? (
            <Empty icon={<Search size={32} strokeWidth={1.5} />} title={<Trans>Nothing found</Trans>}>
              {isFiltered ? (
                <Trans>No document here matches the name and state.</Trans>
              ) : (
                <Trans>This folder is empty.</Trans>
              )}
            </Empty>
          ) : (
            <DocumentTable
              corpus={corpus}
              rows={rows}
              showsPaths={isFiltered}
              mayManage={mayManage}
              selected={selected}
              onSelect={setSelected}
              onOpenFolder={open}
              onDelete={(document) => setDeleting([document])}
              onReplace={(file, document) =>
                add([
                  { file, path: document.path, name: replacementName(file, document), replaces: document.reference },
                ])
              }
            />
          )}
        </>
      )}
      <DeleteDialog
        corpus={corpus}
        documents={deleting}
        onClose={(isDone) => {
          setDeleting(undefined);
          if (isDone) setSelected(new Set());
        }}
      />
    </DropArea>
  );
}

/**
 * Returns the name that a document has after a file replaces it. The document keeps its name if the
 * file has the same extension. Otherwise it takes the name of the file.
 */
const replacementName = (file: File, { name }: Document): string => {
  const extension = (text: string) => text.slice(text.lastIndexOf(".")).toLowerCase();
  return extension(file.name) === extension(name) ? name : file.name;
};

function Totals({ documents, folder }: { documents: readonly Document[]; folder: string }) {
  const within = documents.filter(({ path }) => isWithin(path, folder));
  const pending = within.filter(isPending).length;
  return (
    <>
      <Plural value={within.length} one="# document" other="# documents" />
      {pending > 0 && (
        <>
          {" · "}
          <Plural value={pending} one="# not ready yet" other="# not ready yet" />
        </>
      )}
    </>
  );
}

function Crumbs({ folder, onOpen }: { folder: string; onOpen: (path: string) => void }) {
  const { t } = useLingui();
  const crumbs = crumbsOf(folder);
  return (
    <nav aria-label={t`Folder`} className="mb-3">
      <ol className="flex flex-wrap items-center gap-1">
        {[{ name: t`All documents`, path: "" }, ...crumbs].map(({ name, path }, index) => (
          <li key={path} className="flex items-center gap-1">
            {index > 0 && <ChevronRight size={15} aria-hidden className="text-muted" />}
            {index === crumbs.length ? (
              <span aria-current="page" className="px-1 font-medium">
                {name}
              </span>
            ) : (
              <button type="button" onClick={() => onOpen(path)} className="rounded px-1 text-accent underline">
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface UploadButtonsProps {
  folder: string;
  onFiles: (files: readonly FileToUpload[]) => void;
  isProminent: boolean;
}

function UploadButtons({ folder, onFiles, isProminent }: UploadButtonsProps) {
  const { t } = useLingui();
  const files = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const input = (isFolder: boolean) => (
    <input
      ref={isFolder ? folders : files}
      type="file"
      multiple
      hidden
      aria-label={isFolder ? t`Folder to upload` : t`Files to upload`}
      {...(isFolder ? { webkitdirectory: "" } : { accept: documentExtensions.map((each) => `.${each}`).join(",") })}
      onChange={(event) => {
        onFiles(chosenFiles(event.target.files, folder));
        event.target.value = "";
      }}
    />
  );
  return (
    <div
      className={`mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-dashed border-line-strong/60 ${
        isProminent ? "flex-col px-6 py-12 text-center" : "px-4 py-3"
      }`}
    >
      {input(false)}
      {input(true)}
      <Upload size={isProminent ? 32 : 20} strokeWidth={1.5} aria-hidden className="shrink-0 text-muted" />
      <div className="grow">
        {isProminent && (
          <h2 className="font-semibold">
            <Trans>Add the first documents</Trans>
          </h2>
        )}
        <p className="text-muted">
          <Trans>Drop files or folders here. PDF, DOCX, JPG, PNG and HEIC, up to 60 MB each.</Trans>
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button look={isProminent ? "primary" : "secondary"} onClick={() => files.current?.click()}>
          <FilePlus2 size={17} aria-hidden />
          <Trans>Choose files</Trans>
        </Button>
        <Button onClick={() => folders.current?.click()}>
          <FolderPlus size={17} aria-hidden />
          <Trans>Choose a folder</Trans>
        </Button>
      </div>
    </div>
  );
}

interface DropAreaProps {
  isActive: boolean;
  folder: string;
  onFiles: (files: readonly FileToUpload[]) => void;
  children: React.ReactNode;
}

/**
 * Accepts files that are dropped anywhere on the screen. Keyboard users use the buttons instead.
 */
function DropArea({ isActive, folder, onFiles, children }: DropAreaProps) {
  const wordsOf = useErrorWords();
  const [depth, setDepth] = useState(0);
  const isFiles = ({ dataTransfer }: DragEvent) => isActive && dataTransfer.types.includes("Files");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen with the buttons as well
    <div
      className="relative min-h-[50vh]"
      onDragEnter={(event) => {
        if (isFiles(event)) setDepth(depth + 1);
      }}
      onDragLeave={(event) => {
        if (isFiles(event)) setDepth(Math.max(0, depth - 1));
      }}
      onDragOver={(event) => {
        if (isFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!isFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        droppedFiles(event.dataTransfer, folder).then(onFiles, (error) => notify(wordsOf(error), "error"));
      }}
    >
      {children}
      {depth > 0 && (
        <div className="pointer-events-none absolute inset-0 z-20 flex items-start justify-center rounded-xl border-2 border-dashed border-accent bg-accent-soft/90 pt-24">
          <p className="flex items-center gap-3 text-lg font-semibold text-accent">
            <Upload size={24} aria-hidden />
            {folder === "" ? <Trans>Drop to upload</Trans> : <Trans>Drop to upload into {folder}</Trans>}
          </p>
        </div>
      )}
    </div>
  );
}

interface DeleteDialogProps {
  corpus: string;
  documents: readonly Document[] | undefined;
  onClose: (isDone: boolean) => void;
}

/** Maximum number of concurrent requests while many documents are deleted. */
const concurrentDeletions = 4;

function DeleteDialog({ corpus, documents, onClose }: DeleteDialogProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: async (all: readonly Document[]) => {
      const left = [...all];
      const work = async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift())
          await sheaf.deleteDocument(corpus, next.reference);
      };
      await Promise.all(Array.from({ length: concurrentDeletions }, work));
    },
    onSuccess: () => onClose(true),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => queries.invalidateQueries({ queryKey: documentsQuery(corpus).queryKey }),
  });
  const [first] = documents ?? [];
  const count = documents?.length ?? 0;
  return (
    <ConfirmDialog
      open={documents !== undefined}
      onOpenChange={() => onClose(false)}
      title={
        count === 1 ? (
          t`Delete ${first?.name ?? ""}?`
        ) : (
          <Plural value={count} one="Delete # document?" other="Delete # documents?" />
        )
      }
      description={t`Answers no longer use or quote what you delete. This cannot be undone.`}
      action={t`Delete`}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(documents ?? [])}
    />
  );
}
