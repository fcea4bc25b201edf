/** Reads the entries of a PDF dictionary as text. References to other objects are not followed. */

/**
 * Returns the entries of the dictionary at the start of the text. `isComplete` is false if the text
 * ends before the dictionary does.
 */
export function dictionaryEntries(text: string): { entries: Map<string, string>; isComplete: boolean } {
  const entries = new Map<string, string>();
  const tokens = new Tokens(text);
  if (tokens.next() !== "<<") return { entries, isComplete: true };
  for (let key = tokens.next(); ; key = tokens.next()) {
    if (!key?.startsWith("/")) return { entries, isComplete: key !== undefined };
    const value = entryOf(tokens);
    if (value === undefined) return { entries, isComplete: false };
    entries.set(key.slice(1), value);
  }
}

/**
 * Returns a value as text: `/Name`, `(string)`, `<hex>`, a number, `12 0 R`, or `[array]`. Returns
 * "" for a dictionary.
 */
function entryOf(tokens: Tokens): string | undefined {
  const first = tokens.next();
  if (first === "<<") return tokens.skipNested() ? "" : undefined;
  if (first === "[") return tokens.nested();
  if (first === undefined || !/^\d+$/u.test(first)) return first;
  const at = tokens.at;
  const [generation, mark] = [tokens.next(), tokens.next()];
  if (generation !== undefined && /^\d+$/u.test(generation) && mark === "R") return `${first} ${generation} R`;
  tokens.at = at;
  return first;
}

const space = /[\0\t\n\f\r ]*/y;
const comment = /%[^\r\n]*/y;
const token = /<<|>>|[[\](]|<[\da-fA-F\s]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[^\0\t\n\f\r ()<>[\]{}/%]+/y;

class Tokens {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the next token. Returns undefined at the end of the text, or if no token follows. */
  next(): string | undefined {
    this.#match(space);
    while (this.#match(comment)) this.#match(space);
    const found = this.#match(token);
    return found === "(" ? this.#string() : found;
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    const [found] = expression.exec(this.#text) ?? [];
    if (found !== undefined) this.at = expression.lastIndex;
    return found;
  }

  /** Returns the array whose opening bracket was just read, with its brackets. */
  nested(): string | undefined {
    const start = this.at - 1;
    return this.skipNested() ? this.#text.slice(start, this.at) : undefined;
  }

  /** Skips to the end of the dictionary or array whose start was just read. */
  skipNested(): boolean {
    for (let depth = 1; depth > 0; ) {
      const token = this.next();
      if (token === undefined) return false;
      if (token === "<<" || token === "[") depth++;
      else if (token === ">>" || token === "]") depth--;
    }
    return true;
  }

  /** Returns a string with its parentheses. The opening parenthesis was just read. */
  #string(): string | undefined {
    const start = this.at - 1;
    for (let depth = 1; this.at < this.#text.length; this.at++) {
      const letter = this.#text.charAt(this.at);
      if (letter === "\\") this.at++;
      else if (letter === "(") depth++;
      else if (letter === ")" && --depth === 0) return this.#text.slice(start, ++this.at);
    }
    return undefined;
  }
}

/**
 * Returns the pairs of strings in an array. If an element is a single string instead of a pair, it
 * is returned as a pair of two equal strings.
 */
export function pairsOfArray(array: string, max: number): [string, string][] {
  const tokens = new Tokens(array.slice(1, -1));
  const pairs: [string, string][] = [];
  let open: string[] | undefined;
  for (let token = tokens.next(); token !== undefined && pairs.length < max; token = tokens.next()) {
    const text = textOfString(token) ?? "";
    if (token === "[") open = [];
    else if (token !== "]" && open) open.push(text);
    else if (token !== "]") pairs.push([text, text]);
    else {
      const [exported, label] = open ?? [];
      if (exported !== undefined && label !== undefined) pairs.push([exported, label]);
      open = undefined;
    }
  }
  return pairs;
}

/**
 * Returns the text of a string or name. Returns undefined if the text is empty or the value has
 * another type.
 */
export function textOfString(value: string): string | undefined {
  const bytes = value.startsWith("(")
    ? unescaped(value.slice(1, -1))
    : value.startsWith("<")
      ? fromHex(value)
      : undefined;
  if (bytes !== undefined) return decoded(bytes) || undefined;
  if (!value.startsWith("/")) return undefined;
  return (
    value.slice(1).replace(/#([\da-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) ||
    undefined
  );
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/gu, (_, octal: string | undefined, letter: string) =>
    octal
      ? String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      : /^[\r\n]/u.test(letter)
        ? ""
        : (escapes[letter] ?? letter),
  );

const fromHex = (value: string): string => Buffer.from(value.replace(/[^\da-f]/giu, ""), "hex").toString("latin1");

/**
 * Decodes UTF-16 or UTF-8 if the bytes begin with the byte order mark of that encoding, otherwise
 * Latin-1.
 */
function decoded(bytes: string): string {
  const raw = Buffer.from(bytes, "latin1");
  if (bytes.startsWith("\xfe\xff"))
    return raw
      .subarray(2, raw.length - (raw.length % 2))
      .swap16()
      .toString("utf16le");
  return bytes.startsWith("\xef\xbb\xbf") ? raw.toString("utf8", 3) : bytes;
}
