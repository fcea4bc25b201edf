/** Edits the classes into which a file can be split. Each class has a label and a description. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Plus, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { inputClasses } from "../../ui/field.tsx";
import type { ClassRow } from "./split-storage.ts";

/** Maximum number of classes that the API accepts. */
const maxClasses = 200;
/** Maximum length of a label that the API accepts, in characters. */
const maxLabelLength = 200;
/** Maximum length of a description that the API accepts, in characters. */
const maxDescriptionLength = 2_000;

interface ClassesEditorProps {
  rows: readonly ClassRow[];
  onChange: (rows: ClassRow[]) => void;
}

export function ClassesEditor({ rows, onChange }: ClassesEditorProps) {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const isAdded = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus follows the number of rows
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    list.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus();
  }, [rows.length]);
  const change = (at: number, part: Partial<ClassRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));

  return (
    <fieldset>
      <legend className="text-lg font-semibold">
        <Trans>Classes (optional)</Trans>
      </legend>
      <p className="mb-3 max-w-2xl text-muted">
        <Trans>
          List the kinds of documents that you expect. A description helps to tell them apart. Without classes, Sheaf
          finds names for the kinds itself. This browser remembers the list.
        </Trans>
      </p>
      <ul ref={list} className="flex flex-col gap-3 empty:hidden">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and none is reordered
          <li key={at} className="flex items-start gap-2">
            <div className="grid min-w-0 grow gap-2 sm:grid-cols-[1fr_2fr]">
              <input
                aria-label={t`Label of class ${at + 1}`}
                placeholder={t`Label, such as “invoice”`}
                className={inputClasses}
                maxLength={maxLabelLength}
                value={row.label}
                onChange={({ target }) => change(at, { label: target.value })}
              />
              <input
                aria-label={t`Description of class ${at + 1}`}
                placeholder={t`Description, such as “asks for payment”`}
                className={inputClasses}
                maxLength={maxDescriptionLength}
                value={row.description}
                onChange={({ target }) => change(at, { description: target.value })}
              />
            </div>
            <IconButton
              label={row.label === "" ? t`Remove class ${at + 1}` : t`Remove the class ${row.label}`}
              onClick={() => {
                onChange(rows.filter((_, index) => index !== at));
                addButton.current?.focus();
              }}
            >
              <Trash2 size={18} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button
        ref={addButton}
        className="mt-3"
        small
        disabled={rows.length >= maxClasses}
        onClick={() => {
          isAdded.current = true;
          onChange([...rows, { label: "", description: "" }]);
        }}
      >
        <Plus size={16} aria-hidden />
        <Trans>Add a class</Trans>
      </Button>
    </fieldset>
  );
}
