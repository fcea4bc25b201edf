/** Shows on every screen that files are being uploaded, and links to them. */
import { Plural } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { Spinner } from "../ui/spinner.tsx";

export interface RunningUploads {
  /** Reference of the corpus whose documents show the uploads. */
  corpus: string;
  files: number;
  left: number;
  isPaused: boolean;
}

let running: RunningUploads | undefined;
const listeners = new Set<() => void>();

/** The screen that uploads calls this, with undefined when nothing is left to upload. */
export function showUploads(uploads: RunningUploads | undefined): void {
  running = uploads;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function UploadIndicator() {
  const uploads = useSyncExternalStore(subscribe, () => running);
  if (uploads === undefined) return null;
  const { corpus, files, left, isPaused } = uploads;
  return (
    <Link
      to="/corpora/$reference/documents"
      params={{ reference: corpus }}
      className="mx-3 mb-3 flex flex-col gap-1.5 rounded-md bg-accent-soft px-3 py-2 text-[0.87rem] text-accent"
    >
      <span className="flex items-center gap-2">
        {!isPaused && <Spinner size={14} />}
        <Plural value={left} one="Uploading: # file left" other="Uploading: # files left" />
      </span>
      <span aria-hidden className="h-1 overflow-hidden rounded-full bg-surface">
        <span className="block h-full bg-accent" style={{ width: `${(100 * (files - left)) / files}%` }} />
      </span>
    </Link>
  );
}
