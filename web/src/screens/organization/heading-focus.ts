/** Moves the focus to a heading after the row that had it was removed. */
import { type RefObject, useRef } from "react";

interface HeadingFocus<Row extends HTMLElement> {
  /** Reference to the row's element. */
  ref: RefObject<Row | null>;
  /**
   * Call this while the row exists. Returns a function to call when the row may have been removed.
   */
  keep: () => () => void;
}

export function useHeadingFocus<Row extends HTMLElement>(): HeadingFocus<Row> {
  const ref = useRef<Row>(null);
  const keep = () => {
    const heading = ref.current?.closest("[data-section]")?.querySelector("h2");
    return () =>
      // Runs after the dialog, which gives the focus back when it closes.
      requestAnimationFrame(() => {
        if (document.activeElement === null || document.activeElement === document.body) heading?.focus();
      });
  };
  return { ref, keep };
}
