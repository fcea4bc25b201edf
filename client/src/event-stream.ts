/** Server-sent events: parses the text of a `text/event-stream`. */
import { isRecord, parseJson, SheafError } from "./errors.ts";

/** An event whose data is JSON. */
export interface ServerEvent {
  event: string;
  data: unknown;
}

/** Events of a response. They can be read once. Ending the iteration early cancels the request. */
export type EventStream<Event> = AsyncIterable<Event>;

/**
 * Maximum number of characters in one line. The longest event, with all citations of an answer, is
 * far shorter.
 */
const maxLineLength = 16 * 1024 * 1024;

/**
 * Yields the events of a text that arrives in pieces of any length. Comments and fields other than
 * `event` and `data` are ignored, and so is an incomplete event at the end.
 * @throws SheafError `unexpected_answer` if data is not JSON
 */
export async function* eventsOf(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let name = "";
  let data: string[] = [];
  for await (const line of linesOf(pieces)) {
    if (line === "") {
      if (data.length > 0) yield { event: name === "" ? "message" : name, data: dataOf(data.join("\n")) };
      name = "";
      data = [];
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
}

/** Yields complete lines, which end with LF, CR LF or CR. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  let endedWithCr = false;
  for await (const piece of pieces) {
    // If a piece ends with CR, the LF of that line end may be at the start of the next piece.
    const text = endedWithCr && piece.startsWith("\n") ? piece.slice(1) : piece;
    if (piece === "") continue;
    endedWithCr = piece.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    const last = lines.pop() ?? "";
    for (const line of lines) {
      yield rest + line;
      rest = "";
    }
    rest += last;
    if (rest.length > maxLineLength)
      throw new SheafError("unexpected_answer", "The response has a line that is too long for an event.");
  }
}

function dataOf(text: string): unknown {
  const data = parseJson(text);
  if (data === undefined) throw new SheafError("unexpected_answer", "The response has an event that is not JSON.");
  return data;
}

/**
 * Yields the events up to `done`.
 * @throws SheafError the error that an `error` event reports; `connection_failed` if the connection
 * breaks first
 */
export async function* answeredEvents<Event>(
  events: AsyncIterable<ServerEvent>,
  { status, headers }: Pick<Response, "status" | "headers">,
): AsyncGenerator<Event> {
  for await (const each of events) {
    const { event, data } = each;
    if (event === "error" && isRecord(data) && typeof data.code === "string") {
      const requestId = headers.get("x-request-id") ?? undefined;
      throw new SheafError(data.code, String(data.error ?? data.code), { status, requestId });
    }
    yield each as Event;
    if (event === "done") return;
  }
  throw new SheafError("connection_failed", "The connection broke before the end of the answer.");
}
