/** Returns the boxes of all values on the pages of the document. */
import { useMemo } from "react";
import type { Highlight } from "../../document/highlights.tsx";
import { type FieldNode, fieldAt, type Marks, type RowNode, rowAt, valuesOf } from "./review-model.ts";

/**
 * Marks the selected value. Also marks the other cells of its row faintly, and outlines other
 * values under the pointer.
 */
export function useHighlights(
  records: readonly RowNode[],
  selected: string | undefined,
  drawn: Marks | undefined,
): readonly Highlight[] {
  const others = useMemo(
    () =>
      valuesOf(records)
        .flatMap(({ marks, param }) =>
          marks ? [{ ...boxesOf(marks), tone: "other" as const, label: param.name }] : [],
        )
        .toArray(),
    [records],
  );
  return useMemo(() => {
    const node = fieldAt(records, selected);
    const row = rowAt(records, selected);
    const rowNode = row?.list.rows[row.index];
    const inRow = rowNode === undefined ? [] : valuesOf([rowNode]).filter(({ path }) => path !== selected);
    return [
      ...others,
      ...marked([...inRow], "citation"),
      ...(drawn ? [{ ...boxesOf(drawn), tone: "current" as const }] : marked(node ? leavesOf(node) : [], "current")),
    ];
  }, [records, selected, drawn, others]);
}

const leavesOf = (node: FieldNode) => (node.kind === "value" ? [node] : [...valuesOf(node.rows)]);

const marked = (nodes: readonly { marks: Marks | undefined }[], tone: "current" | "citation"): Highlight[] =>
  nodes.flatMap(({ marks }) => (marks ? [{ ...boxesOf(marks), tone }] : []));

const boxesOf = ({ page, boxes }: Marks) => ({ page, boxes });
