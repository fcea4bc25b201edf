/** Shows a list: its rows as a grid, and below them the selected cell. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Check, Plus, Trash2 } from "lucide-react";
import { memo } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { type EditingState, type FieldActions, FieldRow } from "./field-row.tsx";
import { LearnedLabel } from "./learned-label.tsx";
import { ListGrid } from "./list-grid.tsx";
import { LookBadge } from "./look-words.tsx";
import { lookOf } from "./looks.ts";
import type { ListNode } from "./review-model.ts";

interface ListSectionProps {
  node: ListNode;
  /** The selected path, if it belongs to this list or a value in it. */
  selected: string | undefined;
  edited: EditingState | undefined;
  actions: FieldActions;
}

export const ListSection = memo(function ListSection({ node, selected, edited, actions }: ListSectionProps) {
  const { t } = useLingui();
  const { path, param, rows } = node;
  const isSelected = selected === path;
  const index =
    selected === undefined || isSelected ? undefined : Number(selected.slice(path.length + 1).split("/")[0]);
  const row = index === undefined ? undefined : rows[index];
  const cell = row?.fields.find((field) => selected === field.path || selected?.startsWith(`${field.path}/`));
  const look = lookOf(node);
  const isToLook = look === "low_confidence" || look === "not_found";
  return (
    <section
      aria-label={param.name}
      className={classes(
        "border-l-3 py-2.5",
        selected !== undefined
          ? "border-accent bg-accent-soft/60"
          : isToLook
            ? "border-warning/60"
            : "border-transparent",
      )}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1 px-4">
        <button
          type="button"
          data-path={path}
          aria-current={isSelected || undefined}
          title={param.description || undefined}
          onClick={() => actions.select(path)}
          className="min-w-0 grow rounded-sm text-left"
        >
          <span className="block text-[0.85rem] break-words text-muted">{param.name}</span>
          <span className="block">{plural(rows.length, { 0: "No rows", one: "# row", other: "# rows" })}</span>
          <LearnedLabel node={node} />
        </button>
        <LookBadge node={node} />
      </div>
      {rows.length > 0 && <ListGrid node={node} selected={selected} actions={actions} />}
      {cell?.kind === "value" && (
        <div className="mx-4 mt-2 rounded-lg border border-line bg-surface">
          <FieldRow node={cell} isSelected edited={edited} actions={actions} isDetail />
        </div>
      )}
      {cell?.kind === "list" && (
        <div className="mx-4 mt-2 rounded-lg border border-line bg-surface">
          <ListSection node={cell} selected={selected} edited={edited} actions={actions} />
        </div>
      )}
      {selected !== undefined && (
        <div className="mt-2 flex flex-wrap gap-1.5 px-4">
          {isToLook && (
            <Button small look={isSelected ? "primary" : "secondary"} onClick={() => actions.confirm(path)}>
              <Check size={15} aria-hidden />
              {rows.length === 0 ? t`Confirm that there are none` : t`Confirm all rows`}
            </Button>
          )}
          <Button small onClick={() => actions.insertRow(path, index === undefined ? rows.length : index + 1)}>
            <Plus size={15} aria-hidden />
            {index === undefined ? <Trans>Add row</Trans> : <Trans>Add row below</Trans>}
          </Button>
          {row !== undefined && (
            <Button small look="danger" onClick={() => actions.removeRow(row.path)}>
              <Trash2 size={15} aria-hidden />
              <Trans>Remove row {(index ?? 0) + 1}</Trans>
            </Button>
          )}
        </div>
      )}
    </section>
  );
});
