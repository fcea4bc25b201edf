/**
 * Writes tables as an Excel workbook in which numbers, dates and booleans keep their types. Uses no
 * library, because a library would be ten times as large as the code of the screen that exports.
 * Only tests use a library, to read the workbook.
 */
import { zip } from "./zip.ts";

export type TableCell = string | number | boolean | Date | null;

/** A sheet of a workbook. */
export interface ExportTable {
  name: string;
  columns: string[];
  rows: TableCell[][];
}

export const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Maximum length of a text in a cell that Excel allows, in characters. */
const maxTextLength = 32_767;
/** Maximum number of rows of a sheet that Excel allows. */
const maxRows = 1_048_576;
/** Maximum length of a sheet name that Excel allows, in characters. */
const maxSheetNameLength = 31;

export async function workbookOf(tables: readonly ExportTable[]): Promise<Blob> {
  const names = sheetNames(tables.map(({ name }) => name));
  const sheets = tables.map((_, index) => index + 1);
  const archive = await zip([
    { name: "[Content_Types].xml", content: contentTypes(sheets) },
    { name: "_rels/.rels", content: relationships([["officeDocument", "xl/workbook.xml"]]) },
    { name: "xl/workbook.xml", content: workbook(names) },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relationships([
        ...sheets.map((sheet) => ["worksheet", `worksheets/sheet${sheet}.xml`] as const),
        ["styles", "styles.xml"],
      ]),
    },
    { name: "xl/styles.xml", content: styles },
    ...tables.map((table, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, content: worksheet(table) })),
  ]);
  return new Blob([archive], { type: workbookType });
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const formats = "http://schemas.openxmlformats.org";
const main = `${formats}/spreadsheetml/2006/main`;

const contentTypes = (sheets: readonly number[]) =>
  `${declaration}<Types xmlns="${formats}/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${workbookType}.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${workbookType.replace(".sheet", ".styles")}+xml"/>` +
  sheets
    .map((sheet) => {
      const type = workbookType.replace(".sheet", ".worksheet");
      return `<Override PartName="/xl/worksheets/sheet${sheet}.xml" ContentType="${type}+xml"/>`;
    })
    .join("") +
  "</Types>";

const relationships = (targets: readonly (readonly [type: string, target: string])[]) =>
  `${declaration}<Relationships xmlns="${formats}/package/2006/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${formats}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

const workbook = (names: readonly string[]) =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${formats}/officeDocument/2006/relationships"><sheets>${names
    .map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join("")}</sheets></workbook>`;

/** Indexes of cell styles: 0 none, 1 bold for the heading, 2 date, 3 date and time. */
const styles =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>' +
  "</styleSheet>";

function worksheet({ columns, rows }: ExportTable): string {
  const heading = columns.map((name) => textCell(name, 1)).join("");
  // Leaves out rows beyond the maximum number of rows in Excel. The CSV export contains all rows.
  const body = rows.slice(0, maxRows - 1).map((row) => `<row>${row.map(cell).join("")}</row>`);
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.map((name, index) => column(index + 1, widthOf(name, index, rows))).join("")}</cols>` +
    `<sheetData><row>${heading}</row>${body.join("")}</sheetData></worksheet>`
  );
}

const column = (number: number, width: number) =>
  `<col min="${number}" max="${number}" width="${width}" customWidth="1"/>`;

/** The width of a column depends on its title and on this many of its first rows. */
const measuredRows = 200;
/** Minimum width of a column, in characters. */
const minWidth = 8;
/** Maximum width of a column, in characters. */
const maxWidth = 60;

function widthOf(name: string, index: number, rows: ExportTable["rows"]): number {
  const lengths = rows.slice(0, measuredRows).map((row) => lengthOf(row[index] ?? null));
  return Math.min(maxWidth, Math.max(minWidth, name.length + 2, ...lengths.map((length) => length + 2)));
}

const lengthOf = (value: TableCell): number =>
  value === null ? 0 : value instanceof Date ? "2026-01-01 12:00".length : String(value).length;

function cell(value: TableCell): string {
  if (value === null) return "<c/>";
  if (typeof value === "number") return Number.isFinite(value) ? `<c><v>${value}</v></c>` : "<c/>";
  if (typeof value === "boolean") return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  return value instanceof Date ? dateCell(value) : textCell(value);
}

const textCell = (text: string, style = 0) =>
  `<c t="inlineStr"${style === 0 ? "" : ` s="${style}"`}><is><t xml:space="preserve">${escaped(text.slice(0, maxTextLength))}</t></is></c>`;

const dayMs = 86_400_000;
/** Day 0 of Excel dates, chosen so that all days from March 1900 on are correct. */
const epochMs = Date.UTC(1899, 11, 30);

function dateCell(date: Date): string {
  const day = (date.getTime() - epochMs) / dayMs;
  return `<c s="${Number.isInteger(day) ? 2 : 3}"><v>${day}</v></c>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string =>
  text
    // XML allows no other control characters, and no halves of surrogate pairs.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .toWellFormed()
    .replace(/[&<>"]/g, (character) => entities[character] ?? "");

/** Returns names that are unique and valid in Excel, which limits their length and characters. */
function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = name.replace(/[[\]:*?/\\']/g, " ").trim() || "Sheet";
    let unique = base.slice(0, maxSheetNameLength);
    for (let number = 2; taken.has(unique.toLowerCase()); number++)
      unique = `${base.slice(0, maxSheetNameLength - 4)} ${number}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
