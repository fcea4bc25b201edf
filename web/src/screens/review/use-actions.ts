import { useLayoutEffect, useRef, useState } from "react";
import type { FieldActions } from "./field-row.tsx";

/** Returns an object whose identity never changes. Its functions call the latest `actions`. */
export function useActions(actions: FieldActions): FieldActions {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState<FieldActions>(() => ({
    select: (path) => latest.current.select(path),
    confirm: (path) => latest.current.confirm(path),
    edit: (path) => latest.current.edit(path),
    remove: (path) => latest.current.remove(path),
    changeEditing: (editing) => latest.current.changeEditing(editing),
    submitEditing: () => latest.current.submitEditing(),
    cancelEditing: () => latest.current.cancelEditing(),
    insertRow: (list, index) => latest.current.insertRow(list, index),
    removeRow: (row) => latest.current.removeRow(row),
  }));
  return stable;
}
