/**
 * Removes the reasoning output from a model's text, for endpoints that do not separate reasoning
 * from the answer.
 */

const opening = "<think>";
const closing = "</think>";

/**
 * Removes reasoning output from text that arrives in chunks.
 *
 * Some chat templates put the opening tag into the prompt. The response then begins in the middle
 * of reasoning output. If this is known or possible, all text is held back until a tag arrives or
 * the response ends.
 */
export class ReasoningFilter {
  #state: "held" | "said" | "thought";
  #held = "";
  /** Text at the end of a chunk that may be the beginning of a tag. */
  #begun = "";
  #unmarked = false;

  constructor(holdsBack: boolean) {
    this.#state = holdsBack ? "held" : "said";
  }

  /**
   * True if a closing tag arrived without an opening tag, so that the text before it was reasoning
   * output. If that text was being held back, it was discarded and never returned.
   */
  get sawUnmarked(): boolean {
    return this.#unmarked;
  }

  push(text: string): string {
    let rest = this.#begun + text;
    let said = "";
    for (;;) {
      const mark = firstMark(rest);
      const before = rest.slice(0, mark?.start);
      if (this.#state === "said") said += before;
      else if (this.#state === "held") this.#held += before;
      this.#begun = mark === undefined || mark.whole ? "" : rest.slice(mark.start);
      if (mark === undefined || !mark.whole) return said;
      said += this.#pass(mark.text);
      rest = rest.slice(mark.start + mark.text.length);
    }
  }

  /**
   * Returns the text that is still held back, unless it is reasoning output. Reasoning output
   * without a closing tag extends to the end.
   */
  end(): string {
    return this.#state === "thought" ? "" : this.#held + this.#begun;
  }

  /**
   * Updates the state when a tag is found. Returns the text held back before the tag, unless the
   * tag shows that this text was reasoning output.
   */
  #pass(mark: string): string {
    const held = this.#held;
    this.#held = "";
    if (mark === closing && this.#state !== "thought") this.#unmarked = true;
    this.#state = mark === opening ? "thought" : "said";
    return mark === opening ? held : "";
  }
}

const fence = "```";
const beginsValue = /^\s*(?:[{[]|```)/;

/**
 * Filters a response that should be JSON. If the response begins with JSON or a code fence, each
 * chunk is returned as soon as it arrives. Otherwise, the text is held back until the response is
 * complete, and returned without its reasoning output.
 */
export class ValueFilter {
  /**
   * Text that is held back, without leading white space. Undefined as soon as the response turns
   * out to begin as JSON.
   */
  #held: string[] | undefined = [];
  /** True if enough text has arrived to know that the response does not begin as JSON. */
  #isProse = false;
  #unmarked = false;

  get sawUnmarked(): boolean {
    return this.#unmarked;
  }

  push(text: string): string {
    if (this.#held === undefined) return text;
    const piece = this.#held.length === 0 ? text.trimStart() : text;
    if (piece === "") return "";
    this.#held.push(piece);
    if (this.#isProse) return "";
    const said = this.#held.join("");
    if (!beginsValue.test(said)) {
      this.#isProse = !fence.startsWith(said);
      return "";
    }
    this.#held = undefined;
    return said;
  }

  end(): string {
    const { said, unmarked } = withoutReasoning(this.#held?.join("") ?? "");
    this.#unmarked = unmarked;
    return said;
  }
}

/**
 * Removes reasoning output from a whole response that should be JSON. Tags inside the JSON are
 * kept, because they come from the document.
 */
export function withoutReasoning(text: string): { said: string; unmarked: boolean } {
  if (beginsValue.test(text)) return { said: text, unmarked: false };
  const filter = new ReasoningFilter(true);
  return { said: filter.push(text) + filter.end(), unmarked: filter.sawUnmarked };
}

/**
 * Returns the first opening or closing tag. If the text ends with only the beginning of a tag, this
 * tag is returned with `whole` set to false.
 */
function firstMark(text: string): { start: number; text: string; whole: boolean } | undefined {
  for (let start = text.indexOf("<"); start >= 0; start = text.indexOf("<", start + 1)) {
    for (const mark of [opening, closing]) {
      const there = text.slice(start, start + mark.length);
      if (there === mark) return { start, text: mark, whole: true };
      if (start + there.length === text.length && mark.startsWith(there)) return { start, text: mark, whole: false };
    }
  }
  return undefined;
}
