/** Form that starts a classification: file, mode and optional classes. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { StartClassificationRequest } from "@sheaf/client";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/page.tsx";
import { ClassesEditor } from "./classes-editor.tsx";
import { FileChoice } from "./file-choice.tsx";
import { RecentSplits } from "./recent-splits.tsx";
import { addRecent, readClasses, writeClasses } from "./split-storage.ts";

type Mode = NonNullable<StartClassificationRequest["mode"]>;

/**
 * Timeout in milliseconds. Longer than for other requests, because sending a large file may take
 * long.
 */
const uploadTimeoutMs = 30 * 60_000;

interface StartFormProps {
  owner: string;
  onStarted: (id: string) => void;
}

export function StartForm({ owner, onStarted }: StartFormProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [file, setFile] = useState<File>();
  const [mode, setMode] = useState<Mode>("auto");
  const [rows, setRows] = useState(() => readClasses(owner));
  const [isIncomplete, setIncomplete] = useState(false);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => writeClasses(owner, rows), [owner, rows]);
  useEffect(() => () => abort.current?.abort(), []);

  const start = useMutation({
    mutationFn: async (chosen: File) => {
      abort.current = new AbortController();
      const classes = rows
        .map(({ label, description }) => ({ label: label.trim(), description: description.trim() }))
        .filter(({ label }) => label !== "")
        .map(({ label, description }) => ({ label, ...(description !== "" && { description }) }));
      const body = { filename: chosen.name.normalize("NFC"), file: chosen, mode };
      const options = { signal: abort.current.signal, timeoutMs: uploadTimeoutMs };
      return sheaf.startClassification({ ...body, ...(classes.length > 0 && { classes }) }, options);
    },
    onSuccess: ({ classification_id: id }, { name }) => {
      addRecent(owner, { id, name, startedAt: new Date().toISOString() });
      onStarted(id);
    },
  });
  const isAborted = abort.current?.signal.aborted === true;
  const modes: { value: Mode; name: string; description: string }[] = [
    {
      value: "auto",
      name: t`Several documents`,
      description: t`Sheaf finds the page on which each document begins. For scans of several documents.`,
    },
    { value: "page", name: t`One document per page`, description: t`Every page is classified by itself.` },
    { value: "document", name: t`A single document`, description: t`The file is classified as a whole, not split.` },
  ];

  return (
    <>
      <form
        className="flex flex-col gap-8"
        onSubmit={(event) => {
          event.preventDefault();
          setIncomplete(file === undefined);
          if (file !== undefined) start.mutate(file);
        }}
      >
        <FileChoice file={file} onChange={setFile} disabled={start.isPending} />
        <fieldset>
          <legend className="mb-2 text-lg font-semibold">
            <Trans>What does the file contain?</Trans>
          </legend>
          <div className="grid gap-3 md:grid-cols-3">
            {modes.map(({ value, name, description }) => (
              <label
                key={value}
                className="flex cursor-pointer gap-3 rounded-xl border border-line bg-surface p-4 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
              >
                <input
                  type="radio"
                  name="mode"
                  value={value}
                  checked={mode === value}
                  onChange={() => setMode(value)}
                  className="mt-1 size-4 shrink-0 accent-accent"
                />
                <span>
                  <span className="block font-medium">{name}</span>
                  <span className="block text-[0.9rem] text-muted">{description}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <ClassesEditor rows={rows} onChange={setRows} />
        {start.isError && !isAborted && <Failure message={wordsOf(start.error)} />}
        {isIncomplete && file === undefined && <Failure message={t`Choose a file first.`} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button look="primary" type="submit" busy={start.isPending}>
            {start.isPending ? <Trans>Sending the file…</Trans> : <Trans>Split and classify</Trans>}
          </Button>
          {start.isPending && (
            <Button onClick={() => abort.current?.abort()}>
              <Trans>Cancel</Trans>
            </Button>
          )}
        </div>
      </form>
      <RecentSplits owner={owner} />
    </>
  );
}
