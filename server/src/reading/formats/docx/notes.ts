/**
 * Reads footnotes and endnotes. Their marks are numbered in the order in which the text refers to
 * them.
 */
import { childOf, childrenOf, valOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { numberText } from "./list-number.ts";

export type NoteType = "footnote" | "endnote";

export interface NoteReference {
  key: string;
  /** Text of the mark. Empty for a custom mark, which is part of the text itself. */
  mark: string;
}

export class NoteMarks {
  /** Mark of the note whose text is being read. */
  current = "";
  readonly #marks = new Map<string, string>();
  readonly #counts: Record<NoteType, number> = { footnote: 0, endnote: 0 };
  readonly #formats: Record<NoteType, string>;

  constructor(settings: XmlElement | undefined) {
    const format = (name: string) => valOf(childOf(settings, name), "w:numFmt");
    this.#formats = { footnote: format("w:footnotePr") ?? "decimal", endnote: format("w:endnotePr") ?? "lowerRoman" };
  }

  /**
   * Returns the key and the mark of the note to which a reference points. Later references to a
   * note have the same mark as the first one.
   */
  refer(type: NoteType, id: string, isCustom: boolean): NoteReference {
    const key = `${type} ${id}`;
    if (isCustom) {
      this.#marks.set(key, "");
      return { key, mark: "" };
    }
    const known = this.#marks.get(key);
    if (known !== undefined) return { key, mark: known };
    this.#counts[type]++;
    const mark = numberText(this.#counts[type], this.#formats[type]);
    this.#marks.set(key, mark);
    return { key, mark };
  }

  markOf(key: string): string {
    return this.#marks.get(key) ?? "";
  }
}

/**
 * Returns the notes of a file part, each with the key that references to it use. Separators, which
 * the file also stores as notes, are left out.
 */
export function notesOf(type: NoteType, root: XmlElement | undefined): [key: string, note: XmlElement][] {
  return childrenOf(root, `w:${type}`)
    .filter(({ attributes }) => (attributes["w:type"] ?? "normal") === "normal")
    .map((note) => [`${type} ${note.attributes["w:id"] ?? ""}`, note]);
}
