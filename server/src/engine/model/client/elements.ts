/** Reads the elements of a list in a value that is still arriving. */

import { ModelFailure } from "../../engine.ts";
import { conform, type JsonSchema } from "./conform.ts";
import { readJson } from "./repair-json.ts";

/**
 * Yields each list element as soon as it is complete, and returns the value at the end. The value
 * must be an object whose first member is a list of objects, with no other objects. Elements that
 * do not fit the schema are skipped. The returned value is checked only for its list.
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

/** Number of open brackets around an element. */
const around = 2;

/**
 * Scans each piece once. Joining the whole text again for every piece would take quadratic time.
 */
class ListReader {
  readonly #pieces: string[] = [];
  /** Pieces of the open element that arrived before the current one. */
  #element: string[] = [];
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  get text(): string {
    return this.#pieces.join("");
  }

  /** Yields the elements that end in this piece. Skips those that are not JSON. */
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
