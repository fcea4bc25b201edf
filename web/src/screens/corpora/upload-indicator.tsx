/** Says on every screen that files are being uploaded, and leads to them. */
import { Plural } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Spinner } from "../../ui/spinner.tsx";
import { totalsOf } from "./upload-queue.ts";
import { useUploads } from "./upload-store.ts";

export function UploadIndicator() {
  const { items, pausedBy } = useUploads();
  const totals = totalsOf(items);
  const next = items.find(({ state }) => state === "sending" || state === "waiting");
  if (next === undefined) return null;
  return (
    <Link
      to="/corpora/$reference/documents"
      params={{ reference: next.corpus }}
      className="mx-3 mb-3 flex flex-col gap-1.5 rounded-md bg-accent-soft px-3 py-2 text-[0.87rem] text-accent"
    >
      <span className="flex items-center gap-2">
        {pausedBy === undefined && <Spinner size={14} />}
        <Plural value={totals.open} one="Uploading: # file left" other="Uploading: # files left" />
      </span>
      <span aria-hidden className="h-1 overflow-hidden rounded-full bg-surface">
        <span
          className="block h-full bg-accent"
          style={{ width: `${(100 * (totals.files - totals.open)) / totals.files}%` }}
        />
      </span>
    </Link>
  );
}
