/**
 * Finds the entries that the widgets of a form inherit from their field, such as its name. PDFium
 * can't look them up in linear time. So the objects of the file are searched directly, including
 * objects packed in streams.
 */
import { dictionaryEntries, pairsOfArray, textOfString } from "./dictionary-entries.ts";
import { objectStreams } from "./object-streams.ts";

export interface Inherited {
  type?: string;
  /** Names of the parents, joined by dots. */
  name?: string;
  tooltip?: string;
  value?: string;
  flags?: number;
}

export interface FieldParents {
  /**
   * Returns the entries that the object with this number inherits. Returns an empty object if its
   * parents can't be read.
   */
  of(object: number): Inherited;
  /**
   * Returns the options of a choice field. Each option has a label and the value that the label
   * stands for.
   */
  optionsOf(object: number): readonly FieldOption[];
}

export interface FieldOption {
  exported: string;
  label: string;
}

/** Maximum number of options of a choice field. Chosen by hand, 2026-11. */
const maxOptions = 300;

/** Maximum number of objects of a file that are indexed. Chosen by hand, 2026-11. */
const maxObjects = 500_000;
/**
 * Numbers of bytes that are read to find the end of a dictionary. The smaller number is tried
 * first, because most dictionaries are short. The larger number is used if the end was not found.
 * Chosen by hand, 2026-11.
 */
const readLengths = [1 << 10, 1 << 16];
/**
 * Maximum total number of bytes of dictionaries that are read from one file. Chosen by hand,
 * 2026-11.
 */
const maxRead = 128 << 20;
/** Maximum number of ancestors of a field. Chosen by hand, 2026-11. */
const maxDepth = 16;

/** @param readFile returns the bytes of the file; called when they are needed */
export function fieldParentsOf(readFile: () => Uint8Array): FieldParents {
  let objects: ObjectIndex | undefined;
  const known = new Map<number, Inherited>();
  const inheritedOf = (object: number, depth: number): Inherited => {
    objects ??= new ObjectIndex(readFile);
    const parent = referenceIn(objects.entriesOf(object).get("Parent"));
    if (parent === undefined || depth >= maxDepth) return {};
    const before = known.get(parent);
    if (before) return before;
    const above = inheritedOf(parent, depth + 1);
    const merged = merge(objects.entriesOf(parent), above);
    known.set(parent, merged);
    return merged;
  };
  const optionsOf = (object: number): FieldOption[] => {
    objects ??= new ObjectIndex(readFile);
    const own = objects.entriesOf(object);
    const parent = referenceIn(own.get("Parent"));
    const listed = own.get("Opt") ?? (parent === undefined ? undefined : objects.entriesOf(parent).get("Opt")) ?? "";
    return pairsOfArray(listed, maxOptions).map(([exported, label]) => ({ exported, label }));
  };
  return { of: (object) => inheritedOf(object, 0), optionsOf };
}

function merge(entries: ReadonlyMap<string, string>, above: Inherited): Inherited {
  const string = (key: string): string | undefined => textOfString(entries.get(key) ?? "");
  const name = [above.name, string("T")].filter(Boolean).join(".");
  const tooltip = string("TU") ?? above.tooltip;
  const value = string("V") ?? above.value;
  const type = string("FT") ?? above.type;
  const flags = entries.has("Ff") ? Number(entries.get("Ff")) : above.flags;
  return {
    ...(type && { type }),
    ...(name && { name }),
    ...(tooltip && { tooltip }),
    ...(value && { value }),
    ...(flags !== undefined && Number.isInteger(flags) && { flags }),
  };
}

const referenceIn = (text: string | undefined): number | undefined => {
  const number = /^(\d{1,9}) \d+ R$/u.exec(text ?? "")?.[1];
  return number === undefined ? undefined : Number(number);
};

/**
 * Positions of the objects of a file. If several objects have the same number, the last one counts.
 */
class ObjectIndex {
  /**
   * Positions by object number. For an object that is packed in a stream, `packed` is the unpacked
   * stream and `at` a position in it. For other objects, `packed` is absent and `at` is a position
   * in the file. The file is not kept here, because its memory may move.
   */
  readonly #places = new Map<number, { packed?: Buffer; at: number }>();
  readonly #known = new Map<number, ReadonlyMap<string, string>>();
  readonly #readFile: () => Uint8Array;
  #readable = maxRead;

  constructor(readFile: () => Uint8Array) {
    this.#readFile = readFile;
    const file = bufferOf(readFile());
    for (const { source, first } of objectStreams(file)) this.#indexStream(source, first);
    let at = file.indexOf("obj");
    for (let count = 0; at >= 0 && count < maxObjects; count++) {
      const head = file.toString("latin1", Math.max(0, at - headLength), at);
      const number = /(?<!\d)(\d{1,9})\s{1,4}\d{1,5}\s{1,4}$/u.exec(head)?.[1];
      if (number !== undefined) this.#places.set(Number(number), { at: at + "obj".length });
      at = file.indexOf("obj", at + "obj".length);
    }
  }

  #indexStream(source: Buffer, first: number): void {
    const head = source.toString("latin1", 0, Math.min(first, source.length));
    const numbers = head.split(/\s+/u).filter(Boolean).map(Number);
    for (let at = 0; at + 1 < numbers.length && this.#places.size < maxObjects; at += 2)
      this.#places.set(numbers[at] ?? 0, { packed: source, at: first + (numbers[at + 1] ?? 0) });
  }

  entriesOf(object: number): ReadonlyMap<string, string> {
    const known = this.#known.get(object);
    if (known) return known;
    const place = this.#places.get(object);
    const entries = place ? this.#read(place.packed ?? bufferOf(this.#readFile()), place.at) : new Map();
    this.#known.set(object, entries);
    return entries;
  }

  #read(source: Buffer, at: number): ReadonlyMap<string, string> {
    let entries = new Map<string, string>();
    for (const length of readLengths) {
      if (this.#readable < length) break;
      this.#readable -= length;
      const read = dictionaryEntries(source.toString("latin1", at, at + length));
      entries = read.entries;
      if (read.isComplete) break;
    }
    return entries;
  }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Maximum length, in bytes, of the two numbers before "obj". */
const headLength = 24;
