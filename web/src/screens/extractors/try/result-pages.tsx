/** The pages of a result beside its values, with the words of the chosen value marked. */
import { useMemo } from "react";
import type { Highlight } from "../../../document/highlights.tsx";
import { extractionPages } from "../../../document/page-sources.ts";
import { PageView } from "../../../document/page-view.tsx";
import { allEvidence, type Result, type SelectedValue } from "./result.ts";

export function ResultPages({ result, selected }: { result: Result; selected: SelectedValue | undefined }) {
  const { id, filename, pages } = result;
  const source = useMemo(
    () => (id === undefined || pages === undefined ? undefined : extractionPages({ id, filename, pages })),
    [id, filename, pages],
  );
  const path = selected?.path;
  const highlights = useMemo(
    () =>
      allEvidence(result).map(({ path: each, label, evidence: { page, boxes } }): Highlight => {
        return { page, boxes, label, tone: each === path ? "current" : "other" };
      }),
    [result, path],
  );
  // A new object scrolls there, so that it must change with the choice only.
  const evidence = selected?.evidence;
  const focus = useMemo(() => evidence && { page: evidence.page, boxes: evidence.boxes }, [evidence]);
  if (source === undefined || source.pages === 0) return null;
  return (
    <PageView
      source={source}
      label={filename}
      highlights={highlights}
      focus={focus}
      className="mt-3 h-[calc(100dvh-18rem)] min-h-96 overflow-hidden rounded-xl border border-line"
    />
  );
}
