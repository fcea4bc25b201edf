/** Returns true if the screen has room for the pages beside the values. */
import { useSyncExternalStore } from "react";

/** The breakpoint `xl` of Tailwind. */
const wide = matchMedia("(width >= 80rem)");

function subscribe(listener: () => void): () => void {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
