/**
 * Keyboard shortcuts of the workbench. They are disabled while the user types or a dialog is open.
 */
import { useEffect, useLayoutEffect, useRef } from "react";

export type Shortcuts = Partial<Record<string, () => void>>;

export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useLayoutEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (!(event.target instanceof Element) || isForTarget(event.target, event.key)) return;
      const run = current.current[event.key];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/**
 * Returns true if the focused control handles the key itself, so that it must not act as a
 * shortcut. Exception: Enter on a field confirms the field.
 */
function isForTarget(target: Element, key: string): boolean {
  if (target.closest("input, textarea, select, [contenteditable]") !== null) return true;
  // Notifications also have the role `dialog`, but shortcuts must work while one is shown.
  if (document.querySelector("[role=dialog]:not([aria-modal=false]), [role=menu]") !== null) return true;
  return key === "Enter" && target.closest("button, a") !== null && target.closest("[data-path]") === null;
}
