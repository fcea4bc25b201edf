/** Shows all fields of an extraction, in the order that the user has chosen. */
import { Trans, useLingui } from "@lingui/react/macro";
import { memo } from "react";
import { Empty } from "../../ui/page.tsx";
import { type SortOrder, sortedFields } from "./field-order.ts";
import { type EditingState, type FieldActions, FieldRow } from "./field-row.tsx";
import { ListSection } from "./list-section.tsx";
import type { RowNode } from "./review-model.ts";

interface FieldPanelProps {
  records: readonly RowNode[];
  order: SortOrder;
  selected: string | undefined;
  edited: EditingState | undefined;
  actions: FieldActions;
}

export const FieldPanel = memo(function FieldPanel({ records, order, selected, edited, actions }: FieldPanelProps) {
  const { t } = useLingui();
  if (records.length === 0)
    return (
      <div className="p-4">
        <Empty title={t`Nothing was extracted`}>
          <Trans>The result of this extraction could not be read. Extract the file again.</Trans>
        </Empty>
      </div>
    );
  return (
    <>
      {records.map((record, index) => (
        <section key={record.key} aria-label={t`Fields`}>
          {records.length > 1 && (
            <h2 className="border-b border-line bg-sunken px-4 py-1.5 font-medium">
              <Trans>Result {index + 1}</Trans>
            </h2>
          )}
          <ul className="divide-y divide-line">
            {sortedFields(record, order).map((node) => {
              const isInside = selected === node.path || selected?.startsWith(`${node.path}/`) === true;
              const ownEdit = isInside ? edited : undefined;
              return (
                <li key={node.path}>
                  {node.kind === "value" ? (
                    <FieldRow node={node} isSelected={isInside} edited={ownEdit} actions={actions} />
                  ) : (
                    <ListSection
                      node={node}
                      selected={isInside ? selected : undefined}
                      edited={ownEdit}
                      actions={actions}
                    />
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </>
  );
});
