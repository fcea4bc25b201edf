/** Holds the corrections of the open extraction: saves each change, and can undo changes. */
import { type KeptExtraction, SheafError } from "@sheaf/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { sheaf } from "../../app/api.ts";
import { sessionQuery } from "../../app/queries.ts";
import { useSession } from "../../app/session.ts";
import { changed, type History, undone } from "./correction-history.ts";
import { keptExtractionQuery, saveCorrections } from "./kept-extraction.ts";
import type { CorrectionJson } from "./review-model.ts";
import { type Draft, Saver } from "./saver.ts";

/** Delay between the last change and saving it, in milliseconds. */
const saveDelayMs = 700;
const retryMs = 5_000;

export function useCorrections(extraction: KeptExtraction) {
  const { id } = extraction;
  const { user } = useSession();
  const queries = useQueryClient();
  const draftKey = `sheaf.review.${user.id}.${id}`;
  const store = useCallback(
    (stored: KeptExtraction) => {
      queries.setQueryData(keptExtractionQuery(id).queryKey, stored);
      void queries.invalidateQueries({ queryKey: ["kept-extractions", "list"] });
    },
    [queries, id],
  );
  const [saver] = useState(
    () =>
      new Saver<KeptExtraction>(extraction, readDraft(draftKey), {
        save: async (corrections, version) => {
          try {
            return await saveCorrections(id, corrections, version);
          } catch (error) {
            // Tells the shell that the session has ended, so that it asks for the password in a
            // dialog over this screen.
            if (error instanceof SheafError && error.code === "unauthorized")
              queries.setQueryData(sessionQuery.queryKey, null);
            throw error;
          }
        },
        load: async () => (await sheaf.getKeptExtraction(id)).data,
        isConflict: (error) => error instanceof SheafError && error.code === "conflict",
        mayPass: (error) => error instanceof SheafError && (error.status === undefined || error.status >= 500),
        onSaved: store,
        writeDraft: (draft) => writeDraft(draftKey, draft),
        delayMs: saveDelayMs,
        retryMs,
      }),
  );
  const [history, setHistory] = useState<History>(() => ({ corrections: saver.corrections, past: [] }));
  const state = useSyncExternalStore(
    useCallback((listener) => saver.subscribe(listener), [saver]),
    () => saver.state,
  );

  useEffect(() => {
    saver.start();
    const onHide = () => void saver.flush();
    addEventListener("pagehide", onHide);
    return () => {
      removeEventListener("pagehide", onHide);
      // Saves when the user leaves the screen. If that fails, the draft in the browser is saved at
      // the next visit.
      void saver.flush();
    };
  }, [saver]);
  useEffect(() => {
    if (history.corrections !== saver.corrections) saver.change(history.corrections);
  }, [history, saver]);

  const adopt = useCallback(
    (latest: KeptExtraction) => {
      saver.adopt(latest);
      store(latest);
      setHistory({ corrections: latest.corrections, past: [] });
    },
    [saver, store],
  );
  // If another user has saved a newer version and there are no unsaved changes here, shows that
  // version.
  useEffect(() => {
    if (extraction.version > saver.version && saver.state.kind === "saved") adopt(extraction);
  }, [extraction, saver, adopt]);
  const { data: session } = useQuery(sessionQuery);
  const isSignedIn = session !== null && session !== undefined;
  useEffect(() => {
    if (isSignedIn && saver.state.kind === "failed") void saver.flush();
  }, [isSignedIn, saver]);
  useEffect(() => {
    // Makes the browser ask for confirmation before it closes a tab with unsaved corrections.
    const onUnload = (event: BeforeUnloadEvent) => {
      if (saver.state.kind !== "saved") event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    return () => removeEventListener("beforeunload", onUnload);
  }, [saver]);

  return {
    corrections: history.corrections,
    canUndo: history.past.length > 0,
    state,
    saver,
    adopt,
    change: useCallback((added: CorrectionJson) => setHistory((old) => changed(old, added)), []),
    undo: useCallback(() => setHistory(undone), []),
    store,
  };
}

function readDraft(key: string): Draft | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as Draft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores the draft in the browser. If the browser refuses, unsaved corrections exist only on this
 * screen.
 */
function writeDraft(key: string, draft: Draft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
  } catch {}
}
