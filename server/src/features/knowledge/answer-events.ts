/** A streamed answer as server-sent events. */
import type { AnswerEventJson } from "@sheaf/contract/knowledge.ts";
import { appErrorOf } from "../../lib/app-error-of.ts";
import type { AppError } from "../../lib/errors.ts";
import { eventText, heartbeatMs } from "../../lib/server-sent-events.ts";
import type { Recorded } from "./knowledge.service.ts";

/** A comment line, which clients ignore. */
const heartbeat = ": keep-alive\n\n";

/** Returns the events that end an answer: the citations, if they are shown, and `done`. */
export function closingEvents(
  { threadId, text, citations, fallback }: Recorded,
  showsCitations: boolean,
): AnswerEventJson[] {
  const metadata = { thread_id: threadId, ...(fallback && { fallback }) };
  return [
    ...(showsCitations ? [{ event: "citations" as const, data: { citations } }] : []),
    { event: "done", data: { answer: text, metadata } },
  ];
}

/**
 * Yields the events of an answer. An error is sent as the last event, because the HTTP status has
 * already been sent.
 * @param pieces yields the parts of the text and finally returns the recorded answer
 * @param failed called with the error if answering fails
 */
export async function* answerEvents(
  threadId: string,
  pieces: AsyncGenerator<string, Recorded>,
  showsCitations: boolean,
  failed: (error: AppError) => void,
): AsyncGenerator<AnswerEventJson> {
  yield { event: "thread", data: { thread_id: threadId } };
  try {
    let next = await pieces.next();
    for (; !next.done; next = await pieces.next())
      if (next.value !== "") yield { event: "text", data: { text: next.value } };
    yield* closingEvents(next.value, showsCitations);
  } catch (thrown) {
    const error = appErrorOf(thrown);
    failed(error);
    yield { event: "error", data: { code: error.code, error: error.message } };
  } finally {
    await pieces.return(undefined as never);
  }
}

/** Yields the text of the events, and a comment line whenever there was no event for a while. */
export async function* withHeartbeat(events: AsyncGenerator<AnswerEventJson>): AsyncGenerator<string> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for (let next = events.next(); ; ) {
      const silence = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, heartbeatMs, undefined);
      });
      const result = await Promise.race([next, silence]);
      clearTimeout(timer);
      if (result === undefined) yield heartbeat;
      else if (result.done) return;
      else {
        yield eventText(result.value);
        next = events.next();
      }
    }
  } finally {
    clearTimeout(timer);
    await events.return(undefined);
  }
}
