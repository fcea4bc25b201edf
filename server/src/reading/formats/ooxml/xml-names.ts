/**
 * Translates names of elements and attributes: replaces the namespace prefixes that a file uses
 * with the prefixes that our code uses.
 */
import { ReadingError } from "../../reader.ts";

/**
 * The prefixes that our code uses, each with its namespaces in transitional and strict office
 * files.
 */
const usual: readonly (readonly [prefix: string, ...names: string[]])[] = [
  [
    "w",
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
  ],
  ["", "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main"],
  [
    "r",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
  ],
  ["a", "http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main"],
  ["m", "http://schemas.openxmlformats.org/officeDocument/2006/math", "http://purl.oclc.org/ooxml/officeDocument/math"],
  ["mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"],
  ["wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"],
  ["w14", "http://schemas.microsoft.com/office/word/2010/wordml"],
  ["v", "urn:schemas-microsoft-com:vml"],
  ["rel", "http://schemas.openxmlformats.org/package/2006/relationships"],
  ["cp", "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"],
  ["dc", "http://purl.org/dc/elements/1.1/"],
  ["dcterms", "http://purl.org/dc/terms/"],
  [
    "ep",
    "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
    "http://purl.oclc.org/ooxml/officeDocument/extendedProperties",
  ],
];

const prefixOf = new Map(usual.flatMap(([prefix, ...names]) => names.map((name) => [name, prefix] as const)));

interface Scope {
  /** Namespaces by the prefix that the file uses. */
  namespaces: ReadonlyMap<string, string>;
  elements: Map<string, string>;
  attributes: Map<string, string>;
  /**
   * Cached result of `NameScope.keeps`: true if none of the names passed to it needs translation.
   */
  keeps?: boolean;
}

const scopeOf = (namespaces: ReadonlyMap<string, string>): Scope => ({
  namespaces,
  elements: new Map(),
  attributes: new Map(),
});

/** Maximum number of names that are cached for each scope. Chosen by hand, 2026-11. */
const maxNames = 10_000;
/**
 * Maximum number of namespaces of a scope. A scope includes the namespaces of all enclosing scopes,
 * so many declarations on many levels would fill the memory. Chosen by hand, 2026-11.
 */
const maxNamespaces = 500;

/**
 * The namespaces that apply to each open element. Translated names are cached, because a file has
 * few names but uses them millions of times.
 */
export class NameScope {
  #current: Scope = scopeOf(new Map());
  /**
   * One entry for each open element: the enclosing scope if the element declares namespaces,
   * otherwise undefined.
   */
  readonly #outer: (Scope | undefined)[] = [];

  /** @throws ReadingError `too_complex` */
  enter(declared: ReadonlyMap<string, string> | undefined): void {
    if (declared === undefined || declared.size === 0) {
      this.#outer.push(undefined);
      return;
    }
    if (this.#current.namespaces.size + declared.size > maxNamespaces) {
      throw new ReadingError("too_complex", "The XML declares too many namespaces.");
    }
    this.#outer.push(this.#current);
    this.#current = scopeOf(new Map([...this.#current.namespaces, ...declared]));
  }

  leave(): void {
    const outer = this.#outer.pop();
    if (outer !== undefined) this.#current = outer;
  }

  element(written: string): string {
    return remembered(this.#current.elements, written, () => this.#translate(written, true));
  }

  attribute(written: string): string {
    return remembered(this.#current.attributes, written, () => this.#translate(written, false));
  }

  /**
   * Returns true if none of these element names needs translation. Every call must pass the same
   * names, because the result is cached.
   */
  keeps(names: readonly string[]): boolean {
    this.#current.keeps ??= names.every((name) => this.element(name) === name);
    return this.#current.keeps;
  }

  /** Returns the translated name. A name without a known namespace is returned as it is. */
  #translate(written: string, isElement: boolean): string {
    const colon = written.indexOf(":");
    if (colon < 0 && !isElement) return written;
    const namespace = this.#current.namespaces.get(written.slice(0, Math.max(colon, 0)));
    const prefix = namespace === undefined ? undefined : prefixOf.get(namespace);
    if (prefix === undefined) return written;
    const local = written.slice(colon + 1);
    return prefix === "" ? local : `${prefix}:${local}`;
  }
}

function remembered(names: Map<string, string>, written: string, translate: () => string): string {
  const known = names.get(written);
  if (known !== undefined) return known;
  const name = translate();
  if (names.size < maxNames) names.set(written, name);
  return name;
}
