/**
 * Shows that the extractor applied to this value what it had learned from an earlier document, and
 * names that document.
 */
import { Trans } from "@lingui/react/macro";
import { History } from "lucide-react";
import { useFormats } from "../../ui/formats.ts";
import type { FieldNode } from "./review-model.ts";

/** Renders nothing for a value that was not learned, or that a user has replaced. */
export function LearnedLabel({ node }: { node: FieldNode }) {
  const { date } = useFormats();
  const { learnedFrom } = node;
  if (learnedFrom === undefined) return null;
  if (node.kind === "value" && (node.state === "corrected" || node.state === "nulled")) return null;
  const day = date(learnedFrom.learned_at);
  return (
    <span className="mt-0.5 flex items-start gap-1.5 text-[0.83rem] text-muted">
      <History size={14} aria-hidden className="mt-0.75 shrink-0" />
      <span className="min-w-0 break-words">
        <Trans>
          As learned from “{learnedFrom.filename}” on {day}
        </Trans>
      </span>
    </span>
  );
}
