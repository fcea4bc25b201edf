/** The selected field, which is stored in the URL and shown in the document. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Focus } from "../../document/use-page-scroll.ts";
import { type FieldNode, fieldAt, type RowNode, valuesOf } from "./review-model.ts";

/**
 * Delay between a selection and the update of the URL, in milliseconds. Because an update is slow,
 * the URL is updated only once after several quick selections.
 */
const addressDelayMs = 300;

interface SelectionInput {
  records: readonly RowNode[];
  initial: string | undefined;
  /** Stores the selection in the URL. */
  onSettled: (path: string | undefined) => void;
}

export function useSelection({ records, initial, onSettled }: SelectionInput) {
  const latest = useRef({ records, onSettled });
  latest.current = { records, onSettled };
  const [selected, setSelected] = useState(initial);
  const [focus, setFocus] = useState<Focus | undefined>(() => focusOf(fieldAt(records, initial)));

  /**
   * Selects a field and scrolls the document to it. If `isKey`, the field also gets the keyboard
   * focus.
   */
  const select = useCallback((path: string | undefined, isKey = false, shows = true) => {
    setSelected(path);
    const node = fieldAt(latest.current.records, path);
    if (shows && node !== undefined) setFocus((old) => focusOf(node) ?? old);
    if (isKey && path !== undefined) focusField(path);
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => latest.current.onSettled(selected), addressDelayMs);
    return () => clearTimeout(timer);
  }, [selected]);

  return { selected, select, focus };
}

/**
 * Returns the position of a field in the document. For a list, returns the position of its first
 * value that has a position.
 */
function focusOf(node: FieldNode | undefined): Focus | undefined {
  if (node === undefined) return undefined;
  const marks = node.kind === "value" ? node.marks : valuesOf(node.rows).find((each) => each.marks)?.marks;
  return marks && { page: marks.page, boxes: marks.boxes };
}

/** Maximum number of animation frames to wait until a grid has rendered the row of the field. */
const maxFrames = 12;

/** Moves the keyboard focus to a field as soon as it is rendered. */
export function focusField(path: string, frames = maxFrames): void {
  requestAnimationFrame(() => {
    // Does not move the focus away from an input in which the user is already typing, because the
    // keys would then act as shortcuts.
    if (document.activeElement?.matches("input, textarea, select")) return;
    const element = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
    if (element === null) {
      if (frames > 0) focusField(path, frames - 1);
      return;
    }
    element.focus({ preventScroll: true });
    element.closest("li")?.scrollIntoView({ block: "nearest" });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
