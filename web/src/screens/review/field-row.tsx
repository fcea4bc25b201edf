/** Shows one value: its name, why it needs a check, and its actions. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Check, CircleSlash, Pencil } from "lucide-react";
import { memo } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import type { Editing } from "./editing.ts";
import { LearnedLabel } from "./learned-label.tsx";
import { LookBadge } from "./look-words.tsx";
import { needsLook } from "./looks.ts";
import type { ValueNode } from "./review-model.ts";
import { ValueEditor } from "./value-editor.tsx";
import { shownValue } from "./value-text.ts";

/**
 * Callbacks of the fields. They are the same functions in every render, so that unchanged fields
 * are not rendered again.
 */
export interface FieldActions {
  select: (path: string) => void;
  confirm: (path: string) => void;
  edit: (path: string) => void;
  remove: (path: string) => void;
  changeEditing: (editing: Editing) => void;
  submitEditing: () => void;
  cancelEditing: () => void;
  insertRow: (list: string, index: number) => void;
  removeRow: (row: string) => void;
}

export interface EditingState {
  editing: Editing;
  problem: "number" | "date" | undefined;
}

interface FieldRowProps {
  node: ValueNode;
  isSelected: boolean;
  edited: EditingState | undefined;
  actions: FieldActions;
  /**
   * True if this row shows the selected cell of a grid. In that case, the row is not rendered as a
   * list item.
   */
  isDetail?: boolean;
}

export const FieldRow = memo(function FieldRow({ node, isSelected, edited, actions, isDetail = false }: FieldRowProps) {
  const { path, param } = node;
  const head = (
    <>
      <span className="flex items-start justify-between gap-3">
        <span className="min-w-0 text-[0.85rem] break-words text-muted">{param.name}</span>
        <LookBadge node={node} />
      </span>
      {edited === undefined && <ValueText node={node} />}
      <LearnedLabel node={node} />
    </>
  );
  return (
    <div
      className={classes(
        "border-l-3 px-4 py-2.5",
        isSelected ? "border-accent bg-accent-soft/60" : "border-transparent",
        !isSelected && needsLook(node) && "border-warning/60",
      )}
    >
      {isDetail ? (
        head
      ) : (
        <button
          type="button"
          data-path={path}
          aria-current={isSelected || undefined}
          title={param.description || undefined}
          onClick={() => actions.select(path)}
          className="block w-full rounded-sm text-left"
        >
          {head}
        </button>
      )}
      {edited !== undefined && (
        <div className="mt-1.5">
          <ValueEditor
            key={path}
            node={node}
            editing={edited.editing}
            problem={edited.problem}
            onChange={actions.changeEditing}
            onSubmit={actions.submitEditing}
            onCancel={actions.cancelEditing}
          />
        </div>
      )}
      {isSelected && edited === undefined && <FieldButtons node={node} actions={actions} />}
    </div>
  );
});

function ValueText({ node }: { node: ValueNode }) {
  const { t, i18n } = useLingui();
  const { value, original, param, reason, state } = node;
  const words = (each: typeof value) =>
    typeof each === "boolean" ? (each ? t`Yes` : t`No`) : shownValue(each, param.format, i18n.locale);
  const shown = words(value);
  const before = original === undefined || original === null ? undefined : words(original);
  const isChanged = state === "corrected" || state === "nulled";
  return (
    <>
      <span className={classes("mt-0.5 block break-words whitespace-pre-line", shown === undefined && "text-muted")}>
        {shown ?? <Trans>No value</Trans>}
      </span>
      {isChanged && before !== undefined && (
        <span className="block text-[0.83rem] break-words text-muted">
          <Trans>
            Extracted: <s>{before}</s>
          </Trans>
        </span>
      )}
      {reason !== undefined && (
        <span className="block text-[0.83rem] break-words text-muted">
          <Trans>Reason: {reason}</Trans>
        </span>
      )}
    </>
  );
}

function FieldButtons({ node, actions }: { node: ValueNode; actions: FieldActions }) {
  const { path } = node;
  return (
    <span className="mt-2 flex flex-wrap gap-1.5">
      {node.state === "unchanged" && (
        <Button small look="primary" onClick={() => actions.confirm(path)}>
          <Check size={15} aria-hidden />
          <Trans>Confirm</Trans>
        </Button>
      )}
      <Button small onClick={() => actions.edit(path)}>
        <Pencil size={15} aria-hidden />
        <Trans>Edit</Trans>
      </Button>
      {node.value !== null && (
        <Button small onClick={() => actions.remove(path)}>
          <CircleSlash size={15} aria-hidden />
          <Trans>No value</Trans>
        </Button>
      )}
    </span>
  );
}
