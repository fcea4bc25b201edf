/** Reads the JSON value in what a model says, though there are fences or prose around it, commas too many, or its end is missing. */

/**
 * The value; undefined where there is none.
 *
 * What is cut off within a value is left out with its key, never completed: half an amount is another amount.
 */
export function readJson(text: string): { value: unknown } | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const whole = parse(trimmed);
  if (whole !== undefined) return whole;
  const fenced = /```\w*\s*\n([\s\S]*?)(?:\n\s*```|$)/.exec(trimmed)?.[1];
  return (fenced !== undefined && readFirst(fenced)) || readFirst(trimmed) || undefined;
}

/** At how many brackets a value is looked for: prose may hold a few of its own. */
const maxStarts = 8;

function readFirst(text: string): { value: unknown } | undefined {
  let start = -1;
  let cut: { value: unknown } | undefined;
  for (let tries = 0; tries < maxStarts; tries++) {
    start = nextBracket(text, start + 1);
    if (start < 0) break;
    const mended = mend(text, start);
    const read = parse(mended.text);
    if (read === undefined) continue;
    if (mended.complete) return read;
    cut ??= read;
  }
  return cut;
}

function nextBracket(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

interface Mended {
  text: string;
  /** The bracket at the start was closed in the text itself. */
  complete: boolean;
}

/** The value that begins with the bracket at `start`: without trailing commas, and closed where its end is missing. */
function mend(text: string, start: number): Mended {
  const closers: string[] = [];
  let mended = "";
  /** What can be kept if the text ends too early: all before the last comma, or an opened bracket. */
  let safe = { length: 0, closers: "" };
  const keep = (): void => {
    safe = { length: mended.length, closers: closers.toReversed().join("") };
  };
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') {
      const end = endOfString(text, at);
      mended += text.slice(at, end);
      at = end - 1;
    } else if (char === "{" || char === "[") {
      mended += char;
      closers.push(char === "{" ? "}" : "]");
      keep();
    } else if (char === "}" || char === "]") {
      if (closers.pop() !== char) return { text: "", complete: false };
      mended = withoutComma(mended) + char;
      if (closers.length === 0) return { text: mended, complete: true };
      keep();
    } else {
      if (char === ",") keep();
      mended += char;
    }
  }
  return { text: mended.slice(0, safe.length) + safe.closers, complete: false };
}

function withoutComma(text: string): string {
  const end = text.trimEnd();
  return end.endsWith(",") ? end.slice(0, -1) : text;
}

/** Behind the closing quotation mark, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
