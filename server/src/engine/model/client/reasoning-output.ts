/** Takes the thinking of reasoning models out of what they say, where the endpoint doesn't part the two itself. */

const opening = "<think>";
const closing = "</think>";

/**
 * Takes text as it comes and gives back what isn't thought.
 *
 * Some chat templates put the opening mark into the prompt, so that an answer begins in the middle of a thought. Where that is known, or not
 * known yet, the text is held back until a mark tells, or its end.
 */
export class ThoughtFilter {
  #state: "held" | "said" | "thought";
  #held = "";
  /** The beginning of a mark, perhaps. */
  #begun = "";
  #unmarked = false;

  constructor(holdsBack: boolean) {
    this.#state = holdsBack ? "held" : "said";
  }

  /** A thought ended that hadn't begun. What was given back before it is thought too; nothing was if the text was held back. */
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

  /** What was held back and isn't thought. A marked thought that doesn't end is thought to the end. */
  end(): string {
    return this.#state === "thought" ? "" : this.#held + this.#begun;
  }

  /** What a mark lets go of the text held back. */
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

/** As ThoughtFilter, for an answer that should be JSON: passes it on as it comes if it begins as such, else at its end. */
export class ValueFilter {
  /** Undefined once the value has begun. Without white space at its start, which no value needs. */
  #held: string[] | undefined = [];
  /** Enough of the text is there to see that it begins with something else. */
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
    const { said, unmarked } = withoutThoughts(this.#held?.join("") ?? "");
    this.#unmarked = unmarked;
    return said;
  }
}

/** What a whole answer says that should be JSON. Marks within the JSON are the document's. */
export function withoutThoughts(text: string): { said: string; unmarked: boolean } {
  if (beginsValue.test(text)) return { said: text, unmarked: false };
  const filter = new ThoughtFilter(true);
  return { said: filter.push(text) + filter.end(), unmarked: filter.sawUnmarked };
}

/** The first mark of either kind, or the beginning of one at the end of the text. */
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
