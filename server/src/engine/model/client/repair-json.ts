/** Reads the JSON value in what a model says, though there are fences or prose around it, commas too many, or its end is missing. */

export interface ReadJson {
  value: unknown;
  /** The text ends within the value, which may go on. What is cut off is left out with its key, never completed: half an amount is another amount. */
  cut: boolean;
}

/** Undefined where there is none. */
export function readJson(text: string): ReadJson | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const whole = parse(trimmed, false);
  if (whole !== undefined) return whole;
  const fenced = fencedIn(trimmed);
  return (fenced !== undefined && readFirst(fenced)) || readFirst(trimmed) || undefined;
}

/** The text between the first fence and the next, or the end. */
function fencedIn(text: string): string | undefined {
  const opening = /```\w*\s*\n/.exec(text);
  if (!opening) return undefined;
  const inside = text.slice(opening.index + opening[0].length);
  const closing = /(?<!\s)([^\S\n]*)\n\s*```/.exec(inside);
  return closing ? inside.slice(0, closing.index + (closing[1] as string).length) : inside;
}

/** At how many brackets a value is looked for: prose may hold a few of its own. */
const maxStarts = 8;

/** What begins inside a value that is cut off is a part of it: so the first bracket that a value begins with decides. */
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

/** The value that begins with the bracket at `start`: without trailing commas, and closed where its end is missing. */
function mend(text: string, start: number): { text: string; cut: boolean } {
  const closers: string[] = [];
  let mended = "";
  /** A comma and the white space behind it, until something follows that it parts from what was before. */
  let comma = "";
  /** What can be kept if the text ends too early: up to the last comma or bracket. The brackets that are open then are those at the end. */
  let safe = 0;
  const add = (part: string): void => {
    mended += comma + part;
    comma = "";
  };
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') {
      const end = endOfString(text, at);
      add(text.slice(at, end));
      at = end - 1;
    } else if (char === "{" || char === "[") {
      add(char);
      closers.push(char === "{" ? "}" : "]");
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

/** Behind the closing quotation mark, or the end of the text. */
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
