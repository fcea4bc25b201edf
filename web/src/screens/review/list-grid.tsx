/** Shows the rows of a list as a grid. Only the rows in view are rendered. */
import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useEffect, useRef } from "react";
import { classes } from "../../ui/classes.ts";
import type { FieldActions } from "./field-row.tsx";
import { LookIcon, useLookWords } from "./look-words.tsx";
import { lookOf, needsLook } from "./looks.ts";
import type { FieldNode, FieldParam, ListNode, RowNode } from "./review-model.ts";
import { shownValue } from "./value-text.ts";

interface ListGridProps {
  node: ListNode;
  selected: string | undefined;
  actions: FieldActions;
}

const rowHeight = 34;
/** Space for a horizontal scroll bar, in pixels. */
const scrollbarHeight = 18;
/** Number of rows rendered before and after those in view, so that fast scrolling shows no gaps. */
const overscan = 24;

export function ListGrid({ node, selected, actions }: ListGridProps) {
  const { t } = useLingui();
  const frame = useRef<HTMLDivElement>(null);
  const { rows, param, path } = node;
  const items = param.items ?? [];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan,
    // The heading is as high as a row, and stays in view above the rows.
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
    scrollPaddingEnd: scrollbarHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  const inList = selected?.startsWith(`${path}/`) ? selected.slice(path.length + 1).split("/") : [];
  const selectedRow = inList.length > 0 ? Number(inList[0]) : undefined;
  useEffect(() => {
    if (selectedRow !== undefined) virtual.scrollToIndex(selectedRow, { align: "auto" });
  }, [virtual, selectedRow]);
  const columns = `3.25rem ${items.map(widthOf).join(" ")}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const target = moved(node, selected, event);
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    actions.select(target);
  };
  const firstStop = selectedRow === undefined ? rows[0]?.fields[0]?.path : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual and scroll in both directions
    <div
      ref={frame}
      role="grid"
      aria-label={t`Rows of ${param.name}`}
      aria-rowcount={rows.length + 1}
      aria-colcount={items.length + 1}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="mx-4 mt-2 max-h-88 overflow-auto rounded-md border border-line bg-surface text-[0.87rem]"
    >
      <div className="w-max min-w-full">
        {/* biome-ignore-start lint/a11y/useSemanticElements: parts of the grid */}
        {/* biome-ignore-start lint/a11y/useFocusableInteractive: only cells with values are focused */}
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 grid border-b border-line bg-sunken font-medium text-muted"
          style={{ gridTemplateColumns: columns, height: rowHeight }}
        >
          <span role="columnheader" className="px-2 py-1.5">
            <span className="sr-only">{t`Row`}</span>
          </span>
          {items.map((item) => (
            <span
              key={item.name}
              role="columnheader"
              title={item.description || item.name}
              className={classes("truncate px-2 py-1.5", item.format === "number" && "text-right")}
            >
              {item.name}
            </span>
          ))}
        </div>
        {/* biome-ignore-end lint/a11y/useFocusableInteractive: only cells with values are focused */}
        {/* biome-ignore-end lint/a11y/useSemanticElements: parts of the grid */}
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index];
            return (
              row && (
                <GridRow
                  key={key}
                  row={row}
                  index={index}
                  top={start - rowHeight}
                  columns={columns}
                  selected={index === selectedRow ? selected : undefined}
                  firstStop={index === 0 ? firstStop : undefined}
                  onSelect={actions.select}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

const widthOf = ({ format }: FieldParam) =>
  format === "text" ? "minmax(10rem, 2fr)" : format === "list" ? "minmax(6rem, 1fr)" : "minmax(7rem, 1fr)";

/** Returns the path of the cell to which an arrow key moves the focus. */
function moved({ rows }: ListNode, selected: string | undefined, event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const row = rows.findIndex(({ fields }) => fields.some(({ path }) => path === selected));
  const column = rows[row]?.fields.findIndex(({ path }) => path === selected) ?? -1;
  if (row === -1 || column === -1) return undefined;
  const last = (rows[row]?.fields.length ?? 1) - 1;
  const steps: Partial<Record<string, [row: number, column: number]>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, last],
    PageDown: [Math.min(row + 8, rows.length - 1), column],
    PageUp: [Math.max(row - 8, 0), column],
  };
  const step = steps[event.key];
  return step && rows[step[0]]?.fields[step[1]]?.path;
}

interface GridRowProps {
  row: RowNode;
  index: number;
  top: number;
  columns: string;
  selected: string | undefined;
  /** Path of the cell that the Tab key reaches if no cell is selected. */
  firstStop: string | undefined;
  onSelect: (path: string) => void;
}

const GridRow = memo(function GridRow({ row, index, top, columns, selected, firstStop, onSelect }: GridRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid
    // biome-ignore lint/a11y/useFocusableInteractive: its cells are focused
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes("absolute inset-x-0 grid border-b border-line", selected !== undefined && "bg-accent-soft")}
      style={{ top, gridTemplateColumns: columns, height: rowHeight }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: part of the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the number of the row is no value */}
      <span role="rowheader" className="px-2 py-1.5 text-right text-muted tabular-nums">
        {index + 1}
      </span>
      {row.fields.map((node) => {
        const isSelected = selected === node.path || selected?.startsWith(`${node.path}/`) === true;
        return (
          <GridCell
            key={node.param.name}
            node={node}
            isSelected={isSelected}
            isStop={isSelected || firstStop === node.path}
            onSelect={onSelect}
          />
        );
      })}
    </div>
  );
});

interface GridCellProps {
  node: FieldNode;
  isSelected: boolean;
  isStop: boolean;
  onSelect: (path: string) => void;
}

function GridCell({ node, isSelected, isStop, onSelect }: GridCellProps) {
  const { t, i18n } = useLingui();
  const wordsOf = useLookWords();
  const look = lookOf(node);
  const isToLook = needsLook(node) || (node.kind === "list" && look === "low_confidence");
  const isMarked = isToLook || look === "corrected" || look === "nulled" || look === "confirmed";
  const text =
    node.kind === "list"
      ? plural(node.rows.length, { 0: "No rows", one: "# row", other: "# rows" })
      : typeof node.value === "boolean"
        ? node.value
          ? t`Yes`
          : t`No`
        : shownValue(node.value, node.param.format, i18n.locale);
  const isNumber = node.param.format === "number";
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      role="gridcell"
      data-path={node.path}
      tabIndex={isStop ? 0 : -1}
      aria-selected={isSelected}
      onClick={() => onSelect(node.path)}
      onFocus={({ target }) => !isSelected && target.matches(":focus-visible") && onSelect(node.path)}
      className={classes(
        "flex min-w-0 cursor-pointer items-center gap-1.5 border-l border-line px-2 focus-visible:-outline-offset-2",
        isNumber && "justify-end tabular-nums",
        isToLook && "bg-warning-soft",
        isSelected && "outline-1 -outline-offset-1 outline-accent focus-visible:outline-3",
      )}
    >
      {isMarked && (
        <span className={isToLook ? "text-warning" : "text-accent"}>
          <LookIcon look={look} />
          <span className="sr-only">{wordsOf(node)}: </span>
        </span>
      )}
      <span className="truncate">{text ?? ""}</span>
    </div>
  );
}
