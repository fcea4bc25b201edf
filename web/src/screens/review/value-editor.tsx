/** Input in which a value is edited. The format of the field determines the type of the input. */
import { Trans, useLingui } from "@lingui/react/macro";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { inputClasses } from "../../ui/field.tsx";
import type { Editing } from "./editing.ts";
import type { ValueNode } from "./review-model.ts";

interface ValueEditorProps {
  node: ValueNode;
  editing: Editing;
  problem: "number" | "date" | undefined;
  onChange: (editing: Editing) => void;
  onSubmit: () => void;
  onCancel: () => void;
}

export function ValueEditor({ node, editing, problem, onChange, onSubmit, onCancel }: ValueEditorProps) {
  const { t } = useLingui();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { name, format } = node.param;
  const { mode, text, unfitting } = editing;
  const isNull = mode === "null";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each input
  useEffect(() => {
    const input = form.current?.querySelector<HTMLInputElement>("[data-input]");
    input?.focus();
    if (input?.type === "text" || input?.tagName === "TEXTAREA") input.select();
  }, [mode]);
  const set = (typed: string) => onChange({ ...editing, text: typed, unfitting: undefined });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    }
    // Text can have several lines: Shift+Enter inserts a line break.
    if (event.key === "Enter" && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      onSubmit();
    }
  };
  const shared = {
    "data-input": true,
    id,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": problem !== undefined || undefined,
    className: classes(inputClasses, "bg-surface"),
  } as const;
  return (
    <form
      ref={form}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="flex flex-col gap-2"
    >
      {!isNull && (
        <>
          <label htmlFor={id} className="sr-only">
            {name}
          </label>
          {format === "boolean" ? (
            <select {...shared} value={text} onChange={({ target }) => set(target.value)}>
              <option value="">{t`No value`}</option>
              <option value="true">{t`Yes`}</option>
              <option value="false">{t`No`}</option>
            </select>
          ) : format === "text" ? (
            <textarea
              {...shared}
              rows={Math.min(Math.max(text.split("\n").length, Math.ceil(text.length / 50), 1), 6)}
              value={text}
              onChange={({ target }) => set(target.value)}
            />
          ) : (
            <input
              {...shared}
              type={format === "date" ? "date" : "text"}
              inputMode={format === "number" ? "decimal" : undefined}
              autoComplete="off"
              value={text}
              onChange={({ target }) => set(target.value)}
            />
          )}
        </>
      )}
      <label className="flex flex-col gap-1 text-[0.87rem]">
        <span className="text-muted">{isNull ? t`Why is there no value?` : t`Reason (optional)`}</span>
        <input
          {...(isNull && { "data-input": true })}
          type="text"
          list={isNull ? `${id}-reasons` : undefined}
          autoComplete="off"
          maxLength={500}
          value={editing.reason}
          onChange={({ target }) => onChange({ ...editing, reason: target.value })}
          className={classes(inputClasses, "py-1.5")}
        />
        {isNull && (
          <datalist id={`${id}-reasons`}>
            <option value={t`Not in the document`} />
            <option value={t`Not legible`} />
            <option value={t`Belongs to another field`} />
          </datalist>
        )}
      </label>
      {problem !== undefined && (
        <p role="alert" className="text-[0.87rem] text-danger">
          {problem === "number" ? t`This is not a number.` : t`This is not a date.`}
        </p>
      )}
      {unfitting !== undefined && (
        <p role="alert" className="text-[0.87rem] text-danger">
          {format === "date" ? (
            <Trans>“{unfitting}” is not a date. Enter it by hand.</Trans>
          ) : (
            <Trans>“{unfitting}” is not a number. Enter it by hand.</Trans>
          )}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" small look="primary">
          {isNull ? <Trans>Remove value</Trans> : <Trans>Save</Trans>}
        </Button>
        <Button small onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <p id={`${id}-hint`} className="min-w-40 grow text-[0.83rem] text-muted">
          {!isNull && <Trans>Or drag a box around the right words in the document.</Trans>}
        </p>
      </div>
    </form>
  );
}
