/** Reads the styles of cells: number format and boldness. */
import { childOf, childrenOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { builtInCode, type NumberFormat, numberFormatOf } from "./number-format.ts";

export interface CellStyle {
  format: NumberFormat;
  bold: boolean;
}

export interface CellStyles {
  /**
   * Returns the style with the index that a cell states, or the plain style if there is no such
   * style.
   */
  styleOf(index: number): CellStyle;
}

export const cellStyleAttributes: ReadonlySet<string> = new Set(["numFmtId", "formatCode", "fontId", "val"]);

const off = new Set(["0", "false", "off"]);

export function readCellStyles(root: XmlElement | undefined): CellStyles {
  const codes = new Map(
    childrenOf(childOf(root, "numFmts"), "numFmt").map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? "General",
    ]),
  );
  const bold = childrenOf(childOf(root, "fonts"), "font").map((font) => {
    const mark = childOf(font, "b");
    return mark !== undefined && !off.has(mark.attributes.val ?? "1");
  });
  const formats = new Map<string, NumberFormat>();
  const formatOf = (id: number): NumberFormat => {
    const code = codes.get(id) ?? builtInCode(id);
    const format = formats.get(code) ?? numberFormatOf(code);
    formats.set(code, format);
    return format;
  };
  const styles = childrenOf(childOf(root, "cellXfs"), "xf").map(
    ({ attributes }): CellStyle => ({
      format: formatOf(Number(attributes.numFmtId ?? 0)),
      bold: bold[Number(attributes.fontId ?? 0)] ?? false,
    }),
  );
  const plain: CellStyle = { format: formatOf(0), bold: false };
  return { styleOf: (index) => styles[index] ?? plain };
}
