/** Shows the pages of a result, with the words of the selected value marked. */
import { useMemo } from "react";
import type { Highlight } from "../../../document/highlights.tsx";
import { extractionPages } from "../../../document/page-sources.ts";
import { PageView } from "../../../document/page-view.tsx";
import { allEvidence, type Result, type SelectedValue } from "./result.ts";

interface ResultPagesProps {
  result: Result;
  selected: SelectedValue | undefined;
  /** Called with the path of a value when the user clicks its words. */
  onSelect: (path: string) => void;
}

export function ResultPages({ result, selected, onSelect }: ResultPagesProps) {
  const { id, filename, pages } = result;
  const source = useMemo(
    () => (id === undefined || pages === undefined ? undefined : extractionPages({ id, filename, pages })),
    [id, filename, pages],
  );
  const path = selected?.path;
  const values = useMemo(() => allEvidence(result), [result]);
  const highlights = useMemo(
    () =>
      values.map(({ path: each, label, evidence: { page, boxes } }): Highlight => {
        return { page, boxes, label, tone: each === path ? "current" : "other" };
      }),
    [values, path],
  );
  // The view scrolls each time this object changes, so it must change only with the selection.
  const evidence = selected?.evidence;
  const focus = useMemo(() => evidence && { page: evidence.page, boxes: evidence.boxes }, [evidence]);
  if (source === undefined || source.pages === 0) return null;
  return (
    <PageView
      source={source}
      label={filename}
      highlights={highlights}
      focus={focus}
      onWord={(page, word, { boxes }) => {
        const box = boxes[word];
        const value =
          box && values.find(({ evidence: found }) => found.page === page && found.boxes.some(contains(box)));
        if (value !== undefined) onSelect(value.path);
      }}
      className="mt-3 h-[calc(100dvh-18rem)] min-h-96 overflow-hidden rounded-xl border border-line"
    />
  );
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Returns a function that tests whether `box` contains the centre of another box. */
const contains =
  ([left, top, right, bottom]: Box) =>
  ([x0, y0, x1, y1]: Box): boolean => {
    const x = (left + right) / 2;
    const y = (top + bottom) / 2;
    return x >= x0 && x <= x1 && y >= y0 && y <= y1;
  };
