/**
 * Reads the JSON value in a model's response. Accepts code fences or prose around the value, extra
 * commas, and a value whose end is missing.
 */

export interface ReadJson {
  value: unknown;
  /**
   * True if the text ends before the value does. A member that is cut off is dropped, because the
   * first digits of an amount would be mistaken for a different amount.
   */
  cut: boolean;
}

/** Reads the first JSON value in `text`. Returns undefined if there is none. */
export function readJson(text: string): ReadJson | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const whole = parse(trimmed, false);
  if (whole !== undefined) return whole;
  const fenced = fencedIn(trimmed);
  return (fenced !== undefined && readFirst(fenced)) || readFirst(trimmed) || undefined;
}

/**
 * Returns the text inside the first code fence. If the fence is not closed, its text extends to the
 * end. Returns undefined if there is no fence.
 */
function fencedIn(text: string): string | undefined {
  const opening = /```\w*\s*\n/.exec(text);
  if (!opening) return undefined;
  const inside = text.slice(opening.index + opening[0].length);
  const closing = /(?<!\s)([^\S\n]*)\n\s*```/.exec(inside);
  return closing ? inside.slice(0, closing.index + (closing[1] ?? "").length) : inside;
}

/**
 * Maximum number of brackets that are tried as the start of the value. Prose before the value may
 * contain brackets. Chosen by hand, 2026-11.
 */
const maxStarts = 8;

/**
 * Maximum depth of nested brackets in a value that needs repair. Lists of fields nest up to five
 * levels, and each level needs a few brackets. Without a limit, repairing 16 MiB of brackets took
 * 12 s. Chosen by hand, 2026-11.
 */
const maxDepth = 100;

/**
 * Reads the value that starts at the first suitable bracket. A bracket is suitable even if the end
 * of its value is missing: a later bracket may start only a part of that value.
 */
function readFirst(text: string): ReadJson | undefined {
  let start = -1;
  for (let tries = 0; tries < maxStarts; tries++) {
    start = nextBracket(text, start + 1);
    if (start < 0) break;
    const mended = mend(text, start);
    const read = parse(mended.text, mended.cut);
    if (read !== undefined) return read;
  }
  return undefined;
}

function nextBracket(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

/**
 * Returns the value that starts at the bracket `start`, without trailing commas and with the
 * closing brackets that are missing.
 */
function mend(text: string, start: number): { text: string; cut: boolean } {
  const closers: string[] = [];
  let mended = "";
  /**
   * A comma and the white space after it. Added to `mended` only if another element follows,
   * because JSON does not allow trailing commas.
   */
  let comma = "";
  /**
   * Length of the part of `mended` that is kept if the text ends too early. This part ends after
   * the last bracket or before the last comma, so that it becomes valid JSON if `closers` are
   * appended.
   */
  let safe = 0;
  const add = (part: string): void => {
    mended += comma + part;
    comma = "";
  };
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      add(text.slice(at, end));
      at = end - 1;
    } else if (char === "{" || char === "[") {
      add(char);
      closers.push(char === "{" ? "}" : "]");
      if (closers.length > maxDepth) return { text: "", cut: false };
      safe = mended.length;
    } else if (char === "}" || char === "]") {
      if (closers.pop() !== char) return { text: "", cut: false };
      comma = "";
      add(char);
      if (closers.length === 0) return { text: mended, cut: false };
      safe = mended.length;
    } else if (char === "," && comma === "") {
      safe = mended.length;
      comma = char;
    } else if (comma !== "" && char.trim() === "") comma += char;
    else add(char);
  }
  return { text: mended.slice(0, safe) + closers.toReversed().join(""), cut: true };
}

/** Returns the index after the closing quotation mark, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function parse(text: string, cut: boolean): ReadJson | undefined {
  try {
    return { value: JSON.parse(text), cut };
  } catch {
    return undefined;
  }
}
