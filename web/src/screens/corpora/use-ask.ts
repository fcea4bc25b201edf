/** Asks an agent a question, and shows the answer while it is being generated. */
import { SheafError, type ThreadDetail } from "@sheaf/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { sessionQuery } from "../../app/queries.ts";
import { threadQuery, threadsQuery } from "./queries.ts";

/** A question whose answer is not part of the thread yet. */
export interface OpenQuestion {
  query: string;
  instructions: string;
  /** The text of the answer received so far. */
  text: string;
  state: "asking" | "stopped" | "failed";
  error?: unknown;
}

/** Timeout for an answer, in milliseconds. Long, because a language model may take minutes. */
const timeoutMs = 300_000;

/**
 * @param threadId the thread shown; undefined if the question starts a new thread
 * @param onThread called with the id of the thread that the question started
 */
export function useAsk(agent: string, threadId: string | undefined, onThread: (threadId: string) => void) {
  const queries = useQueryClient();
  const [open, setOpen] = useState<OpenQuestion>();
  /** The last answer that arrived while the screen was shown. Screen readers announce it. */
  const [answered, setAnswered] = useState("");
  const controller = useRef<AbortController>(undefined);
  const shown = useRef(threadId);

  useEffect(() => {
    if (shown.current === threadId) return;
    // The user has opened another thread, so the running question is cancelled.
    shown.current = threadId;
    controller.current?.abort();
    setOpen(undefined);
    setAnswered("");
  }, [threadId]);
  useEffect(() => () => controller.current?.abort(), []);

  const ask = async (query: string, instructions: string) => {
    const own = new AbortController();
    controller.current = own;
    const question: OpenQuestion = { query, instructions, text: "", state: "asking" };
    setOpen(question);
    setAnswered("");
    const body = {
      query,
      include: ["citations"] as const,
      ...(instructions !== "" && { instructions: [instructions] }),
      ...(threadId !== undefined && { thread_id: threadId }),
    };
    let text = "";
    let citations: ThreadDetail["turns"][number]["citations"] = [];
    try {
      for await (const { event, data } of await sheaf.askStream(agent, body, { signal: own.signal, timeoutMs })) {
        if (event === "text") {
          text += data.text;
          setOpen({ ...question, text });
        } else if (event === "citations") citations = data.citations;
        else if (event === "done") {
          const id = data.metadata.thread_id;
          const turn = { query, answer: data.answer, citations, created_at: new Date().toISOString() };
          await remember(id, turn);
          setOpen(undefined);
          setAnswered(data.answer);
          if (threadId === undefined) {
            shown.current = id;
            onThread(id);
          }
        }
      }
    } catch (error) {
      if (own.signal.aborted && controller.current !== own) return;
      setOpen({ ...question, text, state: own.signal.aborted ? "stopped" : "failed", error });
      if (error instanceof SheafError && error.code === "unauthorized")
        queries.setQueryData(sessionQuery.queryKey, null);
    }
  };

  const remember = async (id: string, turn: ThreadDetail["turns"][number]) => {
    const { queryKey } = threadQuery(agent, id);
    const known = queries.getQueryData(queryKey);
    if (known) queries.setQueryData(queryKey, { ...known, turns: [...known.turns, turn] });
    else await queries.fetchQuery(threadQuery(agent, id)).catch(() => undefined);
    void queries.invalidateQueries({ queryKey: threadsQuery(agent).queryKey });
  };

  return {
    open,
    answered,
    isAsking: open?.state === "asking",
    ask,
    stop: () => controller.current?.abort(),
    dismiss: () => setOpen(undefined),
  };
}
