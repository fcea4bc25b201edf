/** Shows on every screen how many files are being uploaded, with a link to the uploads. */
import { Plural } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { Spinner } from "../ui/spinner.tsx";

export interface RunningUploads {
  /** Reference of the corpus that the files are uploaded to. */
  corpus: string;
  files: number;
  left: number;
  isPaused: boolean;
}

let running: RunningUploads | undefined;
const listeners = new Set<() => void>();

/**
 * Sets what the indicator shows. Called by the screen that uploads; `undefined` hides the
 * indicator.
 */
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
