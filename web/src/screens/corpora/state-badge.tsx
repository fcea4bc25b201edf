/** One word for the state of a document. */
import { Trans } from "@lingui/react/macro";
import type { Document } from "@sheaf/client";
import { Badge, type Tone } from "../../ui/page.tsx";
import { type DocumentState, stateOf } from "./document-state.ts";
import { useStateWords } from "./upload-words.ts";

const tones: Record<DocumentState, Tone> = { waiting: "neutral", reading: "accent", ready: "success", error: "danger" };

export function StateBadge({ document }: { document: Document }) {
  const words = useStateWords();
  const state = stateOf(document);
  const { pages = null, pages_done: done = 0 } = document;
  return (
    <Badge tone={tones[state]}>
      {state === "reading" && pages !== null ? (
        <Trans>
          Page {done} of {pages}
        </Trans>
      ) : (
        words(state)
      )}
    </Badge>
  );
}
