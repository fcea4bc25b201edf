/** Gives the focus a place after the row that held it was removed. */
import { type RefObject, useRef } from "react";

interface HeadingFocus<Row extends HTMLElement> {
  /** Reference for the element of the row. */
  ref: RefObject<Row | null>;
  /** Call it while the row exists. Returns the function to call once the row may be gone. */
  keep: () => () => void;
}

export function useHeadingFocus<Row extends HTMLElement>(): HeadingFocus<Row> {
  const ref = useRef<Row>(null);
  const keep = () => {
    const heading = ref.current?.closest("[data-section]")?.querySelector("h2");
    return () =>
      // A dialog that closes gives the focus back first.
      requestAnimationFrame(() => {
        if (document.activeElement === null || document.activeElement === document.body) heading?.focus();
      });
  };
  return { ref, keep };
}
