/**
 * Scans untrusted XML. Document types are refused, and so are all entities except the five
 * predefined ones and numeric ones. The scanner fetches nothing, and it limits the depth and the
 * number of elements. It reports elements and text without building a tree.
 *
 * Names are reported with the usual prefix of their namespace, whatever prefix the file uses, such
 * as `w:p` and `a:t`. Names in spreadsheets have no prefix.
 */
import { ReadingError } from "../../reader.ts";
import { decodedChunks } from "./xml-encoding.ts";
import { NameScope } from "./xml-names.ts";

export interface XmlLimits {
  maxDepth: number;
  maxElements: number;
}

/**
 * Limits for the files of an office package. Word files are nested far less deeply. Code that reads
 * a tree may recurse down to this depth.
 */
export const defaultXmlLimits: XmlLimits = { maxDepth: 400, maxElements: 20_000_000 };

export interface XmlHandler {
  /**
   * Called for every start tag. `attributes` may be read only during the call. `close` is called
   * later for every element.
   */
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  /** Called with the text between two tags. A long text may arrive in several calls. */
  text(text: string): void;
  readonly shortcut?: XmlShortcut;
}

/**
 * A fast path for large files, which consist mostly of small elements written in one fixed
 * notation. It parses the source text itself, but only elements in exactly that notation. All other
 * elements are reported by `open`, `close` and `text`.
 */
export interface XmlShortcut {
  /** The fast path is tried at each tag directly inside an element of this name. */
  readonly parent: string;
  /**
   * Names of all elements that the fast path can parse. The fast path is used only if none of these
   * names needs its namespace prefix translated.
   */
  readonly names: readonly string[];
  /** Maximum nesting depth of the elements that the fast path parses. */
  readonly depth: number;
  /** Number of elements that the fast path has parsed so far. */
  readonly elements: number;
  /**
   * Parses whole elements, beginning with the tag at `from`. Returns the position after them.
   * Returns `from` if it could not parse any.
   */
  take(source: string, from: number): number;
}

/** Attributes of an element. Their names have the usual prefix of their namespace. */
export interface XmlAttributes {
  get(name: string): string | undefined;
  /** Returns the attributes with these names, or undefined if there are none. */
  pick(names: ReadonlySet<string>): Record<string, string> | undefined;
}

/**
 * Maximum length of a tag or text, in characters. No real document has longer ones. Chosen by hand,
 * 2026-11.
 */
const maxPieceLength = 16 * 2 ** 20;

/**
 * Scans an XML file and reports what it contains to `handler`.
 * @throws ReadingError `corrupt` if the file is not well-formed or declares a document type,
 * `too_complex` above a limit.
 */
export function scanXml(bytes: Uint8Array, handler: XmlHandler, limits: XmlLimits = defaultXmlLimits): void {
  const scanner = new Scanner(handler, limits);
  for (const chunk of decodedChunks(bytes)) scanner.push(chunk);
  scanner.end();
}

class Scanner {
  readonly #handler: XmlHandler;
  readonly #limits: XmlLimits;
  readonly #shortcut: XmlShortcut | undefined;
  readonly #names: NameScope = new NameScope();
  /** Two names for each open element: as written, and as reported. */
  readonly #open: string[] = [];
  #source = "";
  #elements = 0;
  #rootClosed = false;
  /**
   * Positions of the attributes of the current tag. There are four for each attribute: start and
   * end of its name, and start and end of its value.
   */
  readonly #places: number[] = [];
  readonly #attributes: XmlAttributes = {
    get: (name) => this.#findAttribute(name),
    pick: (names) => this.#pickAttributes(names),
  };

  constructor(handler: XmlHandler, limits: XmlLimits) {
    this.#handler = handler;
    this.#limits = limits;
    this.#shortcut = handler.shortcut;
  }

  push(chunk: string): void {
    this.#source = this.#source === "" ? chunk : this.#source + chunk;
    let at = 0;
    for (;;) {
      const tag = this.#source.indexOf("<", at);
      if (tag < 0) break;
      const taken = this.#takeShortcut(tag);
      const end = taken > tag ? taken : this.#markupEnd(tag);
      if (end < 0) break;
      if (tag > at) this.#text(this.#source.slice(at, tag));
      if (taken <= tag) this.#markup(tag, end);
      at = end;
    }
    if (this.#source.length - at > maxPieceLength)
      throw new ReadingError("too_complex", "The XML contains a tag or a text that is too long.");
    this.#source = this.#source.slice(at);
  }

  end(): void {
    if (this.#source.trim() !== "" || !this.#rootClosed) throw malformed();
  }

  /**
   * Returns the position after the elements that the fast path took. Returns -1 if it took none.
   */
  #takeShortcut(tag: number): number {
    const shortcut = this.#shortcut;
    if (shortcut === undefined || this.#open.at(-1) !== shortcut.parent) return -1;
    const { names, depth } = shortcut;
    if (!this.#names.keeps(names) || this.#open.length / 2 + depth > this.#limits.maxDepth) return -1;
    const end = shortcut.take(this.#source, tag);
    if (this.#elements + shortcut.elements > this.#limits.maxElements) throw tooManyElements();
    return end;
  }

  /**
   * Returns the position after the markup that begins at `tag`. Returns -1 if its end has not
   * arrived yet.
   */
  #markupEnd(tag: number): number {
    const source = this.#source;
    const second = source.charCodeAt(tag + 1);
    if (second === questionMark) return behind(source, "?>", tag + 2);
    if (second === exclamation) {
      if (source.startsWith("<!--", tag)) return behind(source, "-->", tag + 4);
      if (source.startsWith("<![CDATA[", tag)) return behind(source, "]]>", tag + 9);
      return "<![CDATA[".startsWith(source.slice(tag)) || "<!--".startsWith(source.slice(tag))
        ? -1
        : refuseDeclaration();
    }
    if (second === slash) return behind(source, ">", tag + 2);
    let quote = 0;
    for (let at = tag + 1; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (quote !== 0) {
        if (code === quote) quote = 0;
      } else if (code === greater) return at + 1;
      else if (code === doubleQuote || code === singleQuote) quote = code;
      else if (code === less) throw malformed();
    }
    return -1;
  }

  #markup(tag: number, end: number): void {
    const second = this.#source.charCodeAt(tag + 1);
    if (second === questionMark) return;
    if (second === slash) this.#closeTag(tag + 2, end - 1);
    else if (second !== exclamation) this.#openTag(tag, end);
    else if (this.#source.startsWith("<![CDATA[", tag)) this.#handler.text(this.#source.slice(tag + 9, end - 3));
  }

  #openTag(tag: number, end: number): void {
    const empty = this.#source.charCodeAt(end - 2) === slash;
    const close = empty ? end - 2 : end - 1;
    let nameEnd = tag + 1;
    while (nameEnd < close && !isSpace(this.#source.charCodeAt(nameEnd))) nameEnd++;
    const written = this.#source.slice(tag + 1, nameEnd);
    if (written === "" || this.#rootClosed) throw malformed();
    if (++this.#elements + (this.#shortcut?.elements ?? 0) > this.#limits.maxElements) throw tooManyElements();
    if (this.#open.length / 2 >= this.#limits.maxDepth)
      throw new ReadingError("too_complex", "The XML is nested too deeply.");
    const declares = this.#findPlaces(nameEnd, close);
    this.#names.enter(declares ? this.#declarations() : undefined);
    const name = this.#names.element(written);
    this.#handler.open(name, this.#attributes);
    if (empty) {
      this.#handler.close(name);
      this.#leave();
    } else this.#open.push(written, name);
  }

  /**
   * Closes an element. White space may follow its name, but most closing tags have none, and their
   * names are compared without copying them.
   */
  #closeTag(start: number, end: number): void {
    const name = this.#open.pop();
    const opened = this.#open.pop();
    if (name === undefined || opened === undefined) throw malformed();
    const isSame = end - start === opened.length && this.#source.startsWith(opened, start);
    if (!isSame && this.#source.slice(start, end).trimEnd() !== opened) throw malformed();
    this.#handler.close(name);
    this.#leave();
  }

  #leave(): void {
    this.#names.leave();
    if (this.#open.length === 0) this.#rootClosed = true;
  }

  #text(text: string): void {
    if (this.#open.length > 0) this.#handler.text(decodeEntities(text));
    else if (text.trim() !== "") throw malformed();
  }

  /** Records the positions of the attributes. Returns true if one of them declares a namespace. */
  #findPlaces(from: number, to: number): boolean {
    const source = this.#source;
    this.#places.length = 0;
    let declares = false;
    for (let at = from; ; ) {
      while (at < to && isSpace(source.charCodeAt(at))) at++;
      if (at >= to) return declares;
      const equals = source.indexOf("=", at);
      if (equals < 0 || equals >= to) throw malformed();
      let nameEnd = equals;
      while (nameEnd > at && isSpace(source.charCodeAt(nameEnd - 1))) nameEnd--;
      let open = equals + 1;
      while (isSpace(source.charCodeAt(open))) open++;
      const quote = source.charCodeAt(open);
      if (nameEnd === at || (quote !== doubleQuote && quote !== singleQuote)) throw malformed();
      const close = source.indexOf(quote === doubleQuote ? '"' : "'", open + 1);
      if (close < 0 || close >= to) throw malformed();
      this.#places.push(at, nameEnd, open + 1, close);
      declares ||= source.charCodeAt(at) === letterX && source.startsWith("xmlns", at);
      at = close + 1;
    }
  }

  #declarations(): Map<string, string> {
    const declared = new Map<string, string>();
    for (let index = 0; index < this.#places.length; index += 4) {
      const name = this.#source.slice(this.#places[index], this.#places[index + 1]);
      if (name === "xmlns") declared.set("", this.#value(index));
      else if (name.startsWith("xmlns:")) declared.set(name.slice(6), this.#value(index));
    }
    return declared;
  }

  #findAttribute(name: string): string | undefined {
    for (let index = 0; index < this.#places.length; index += 4) {
      const start = this.#places[index] ?? 0;
      const end = this.#places[index + 1] ?? 0;
      if (this.#isNamed(name, start, end)) return this.#value(index);
    }
    return undefined;
  }

  #pickAttributes(names: ReadonlySet<string>): Record<string, string> | undefined {
    let picked: Record<string, string> | undefined;
    for (let index = 0; index < this.#places.length; index += 4) {
      const name = this.#names.attribute(this.#source.slice(this.#places[index], this.#places[index + 1]));
      if (!names.has(name)) continue;
      picked ??= {};
      picked[name] = this.#value(index);
    }
    return picked;
  }

  #isNamed(name: string, start: number, end: number): boolean {
    if (end - start === name.length && this.#source.startsWith(name, start)) return true;
    // An attribute without a prefix belongs to no namespace, so only a name with a prefix may need
    // translation.
    return name.includes(":") && this.#names.attribute(this.#source.slice(start, end)) === name;
  }

  #value(index: number): string {
    return decodeEntities(this.#source.slice(this.#places[index + 2], this.#places[index + 3]));
  }
}

const [less, greater, slash, exclamation, questionMark, doubleQuote, singleQuote] = [
  60, 62, 47, 33, 63, 34, 39,
] as const;

const letterX = 0x78;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function behind(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

const tooManyElements = () => new ReadingError("too_complex", "The XML has too many elements.");
const malformed = () => new ReadingError("corrupt", "The XML of the file is damaged.");

function refuseDeclaration(): never {
  throw new ReadingError("corrupt", "The XML of the file declares a document type.");
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&([^;&]{0,12});?/gu, (whole, name: string) => {
    const character = whole.endsWith(";") ? (named[name] ?? numeric(name)) : undefined;
    if (character === undefined) throw malformed();
    return character;
  });
}

function numeric(name: string): string | undefined {
  const match = /^#(?:x([0-9a-f]+)|([0-9]+))$/iu.exec(name);
  if (match === null) return undefined;
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;
}
