/** Reads the workbook: its sheets, the epoch of its dates, and its shared strings. */

import { ReadingError } from "../../reader.ts";
import type { Relationship } from "../ooxml/package.ts";
import { scanXml } from "../ooxml/xml.ts";
import { childOf, childrenOf, readXmlTree } from "../ooxml/xml-tree.ts";

export interface SheetEntry {
  name: string;
  /** Name of the file part with the sheet. */
  part: string;
  hidden: boolean;
}

export interface Workbook {
  is1904: boolean;
  /** Sheets that have cells, in order. Charts and dialogs are left out. */
  sheets: SheetEntry[];
}

const attributes = new Set(["name", "state", "r:id", "date1904"]);
/** Maximum length of a sheet name, in characters. Chosen by hand, 2026-11. */
const maxNameLength = 255;

export function readWorkbook(bytes: Uint8Array, relationships: readonly Relationship[]): Workbook {
  const root = readXmlTree(bytes, attributes);
  if (root.name !== "workbook") throw new ReadingError("corrupt", "The file is not an xlsx.");
  const targets = new Map(relationships.map((relationship) => [relationship.id, relationship]));
  const seen = new Set<string>();
  const sheets = childrenOf(childOf(root, "sheets"), "sheet").flatMap(({ attributes: sheet }): SheetEntry[] => {
    const target = targets.get(sheet["r:id"] ?? "");
    // If several sheets refer to the same file part, it is shown only once. Otherwise a small file
    // could show any number of copies of a part.
    if (target?.type !== "worksheet" || seen.has(target.target)) return [];
    seen.add(target.target);
    const hidden = sheet.state === "hidden" || sheet.state === "veryHidden";
    return [{ name: (sheet.name ?? "").slice(0, maxNameLength), part: target.target, hidden }];
  });
  const epoch = childOf(root, "workbookPr")?.attributes.date1904;
  return { is1904: epoch === "1" || epoch === "true", sheets };
}

/**
 * Returns the texts to which cells refer. Phonetic readings above East Asian characters are left
 * out. `spend` is called with the length of each text, and throws if the total is too large.
 */
export function readSharedStrings(bytes: Uint8Array | undefined, spend: (characters: number) => void): string[] {
  const strings: string[] = [];
  if (bytes === undefined) return strings;
  let text = "";
  let phonetic = 0;
  let inText = false;
  scanXml(bytes, {
    open(name) {
      if (name === "si") text = "";
      else if (name === "rPh") phonetic++;
      inText = name === "t" && phonetic === 0;
    },
    close(name) {
      if (name === "si") {
        spend(text.length);
        strings.push(unescaped(text));
      }
      if (name === "rPh") phonetic--;
      inText = false;
    },
    text(piece) {
      if (inText) text += piece;
    },
  });
  return strings;
}

/** Replaces the escapes of characters that XML can't contain, such as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text
    .replace(/_x([0-9a-f]{4})_/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toWellFormed();
}
