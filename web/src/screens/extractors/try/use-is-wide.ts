/** Returns true if the screen is wide enough to show the pages beside the values. */
import { useSyncExternalStore } from "react";

/** Matches the breakpoint `xl` of Tailwind. */
const wide = matchMedia("(width >= 80rem)");

function subscribe(listener: () => void): () => void {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
