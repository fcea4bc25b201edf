/** The elements of a list in a value that is still being written. */
import { conform, type JsonSchema } from "./conform.ts";
import { ModelFailure } from "./model-failure.ts";
import { readJson } from "./repair-json.ts";

/**
 * Of a value that is an object with a list of objects as its first member and no other objects, written down in pieces: each element as soon
 * as it is whole, those that don't fit the schema left out; and at the end the value, which has been checked for its list alone.
 * @throws ModelFailure `rubbish` at the end where there is no such value.
 */
export async function* elementsOf(
  pieces: AsyncIterable<string>,
  schema: object,
): AsyncGenerator<unknown, Record<string, unknown>> {
  const [[name, { items = {} }] = ["", {}]] = Object.entries((schema as JsonSchema).properties ?? {});
  const list = new ListReader();
  for await (const piece of pieces)
    for (const element of list.push(piece)) {
      const { value, problems } = conform(items, element);
      if (problems.length === 0) yield value;
    }
  const value = readJson(list.text)?.value as Record<string, unknown> | null | undefined;
  if (!value || !Array.isArray(value[name]))
    throw new ModelFailure("rubbish", "The model doesn't answer with a list of what it was asked for.");
  return value;
}

/** Brackets that are open around an element. */
const around = 2;

/** Reads pieces once each: joining them to one text with every piece would take time in the square of its length. */
class ListReader {
  readonly #pieces: string[] = [];
  /** Of the element that is open: what came of it before this piece. */
  #element: string[] = [];
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  get text(): string {
    return this.#pieces.join("");
  }

  /** Yields the elements that end in this piece, but those that are not JSON. */
  *push(piece: string): Generator<unknown> {
    this.#pieces.push(piece);
    let start = this.#depth > around ? 0 : -1;
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inString) {
        if (char === "\\") this.#isEscaped = true;
        else if (char === '"') this.#inString = false;
      } else if (char === '"') this.#inString = this.#depth > 0;
      else if (char === "{" || char === "[") {
        if (this.#depth++ === around) start = at;
      } else if ((char === "}" || char === "]") && --this.#depth === around) {
        const read = readJson(this.#element.join("") + piece.slice(start, at + 1));
        this.#element = [];
        start = -1;
        if (read) yield read.value;
      }
    }
    if (start >= 0) this.#element.push(piece.slice(start));
  }
}
