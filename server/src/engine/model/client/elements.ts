/** Reads the elements of a list in a value that is still arriving. */

import { ModelFailure } from "../../engine.ts";
import { conform, type JsonSchema } from "./conform.ts";
import { readJson } from "./repair-json.ts";

/**
 * Yields each element of a list as soon as it is complete, and returns the whole value at the end.
 * The value must be an object. Its first member must be the list, and no other member may contain
 * objects. Elements that do not fit the schema are not yielded. The returned value is not checked
 * against the schema, except that its list must be a list.
 * @throws ModelFailure `malformed` at the end if there is no such value.
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
    throw new ModelFailure("malformed", "The model did not return the requested list.");
  return value;
}

/** Number of open brackets around an element: the object's bracket and the list's bracket. */
const around = 2;

/**
 * Finds the elements of the list. It reads each piece only once: reading the whole text again for
 * every piece would take quadratic time.
 */
class ListReader {
  readonly #pieces: string[] = [];
  /** Earlier pieces of the element that has not ended yet. */
  #element: string[] = [];
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  get text(): string {
    return this.#pieces.join("");
  }

  /** Yields the elements that end in this piece. Elements that are not JSON are skipped. */
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
