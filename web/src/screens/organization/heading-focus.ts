/** Moves the focus to a heading after the row that had the focus was removed. */
import { type RefObject, useRef } from "react";

interface HeadingFocus<Row extends HTMLElement> {
  /** The element of the row must use this object as its `ref`. */
  ref: RefObject<Row | null>;
  /**
   * Returns a function that moves the focus to the heading if the focus was lost. Call `keep` while
   * the row still exists, and the returned function after the row may have been removed.
   */
  keep: () => () => void;
}

export function useHeadingFocus<Row extends HTMLElement>(): HeadingFocus<Row> {
  const ref = useRef<Row>(null);
  const keep = () => {
    const heading = ref.current?.closest("[data-section]")?.querySelector("h2");
    return () =>
      // Waits for the next frame, because a closing dialog first returns the focus to the element
      // that opened it.
      requestAnimationFrame(() => {
        if (document.activeElement === null || document.activeElement === document.body) heading?.focus();
      });
  };
  return { ref, keep };
}
