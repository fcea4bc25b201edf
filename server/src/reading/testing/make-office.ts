/** Makes Office files from hand-written XML, for tests. */
import { strToU8, type Zippable, zipSync } from "fflate";

const links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const wordNamespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${links}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(" ");
const sheetNamespaces = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${links}"`;

/** Returns a ZIP file. `parts` maps the name of each part to its text or bytes. */
export function makeZip(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const files: Zippable = {};
  for (const [name, part] of Object.entries(parts)) files[name] = typeof part === "string" ? strToU8(part) : part;
  return zipSync(files);
}

function relationships(entries: readonly (readonly [id: string, type: string, target: string])[]): string {
  const list = entries.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${links}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join("")}</Relationships>`;
}

const contentNames = "http://schemas.openxmlformats.org/package/2006/content-types";
const typeNames = "application/vnd.openxmlformats-officedocument";

/**
 * Returns the part that lists the content types. Our reader does not need it, but other libraries
 * do.
 */
function contentTypes(types: Readonly<Record<string, string>>): string {
  const list = Object.entries(types).map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${typeNames}.${type}+xml"/>`,
  );
  return `<Types xmlns="${contentNames}"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${list.join("")}</Types>`;
}

/** Content of each part of the document, without its root element. */
export interface DocxParts {
  body: string;
  styles?: string;
  numbering?: string;
  settings?: string;
  footnotes?: string;
  endnotes?: string;
  /** Headers and footers, by the relationship id that sections use for them. */
  headers?: Readonly<Record<string, string>>;
  footers?: Readonly<Record<string, string>>;
  /** Contents of any other parts of the package, by path. */
  others?: Readonly<Record<string, string | Uint8Array>>;
}

export function makeDocx({ body, headers = {}, footers = {}, others = {}, ...parts }: DocxParts): Uint8Array {
  const word = (root: string, content: string) => `<w:${root} ${wordNamespaces}>${content}</w:${root}>`;
  const files: Record<string, string | Uint8Array> = {
    "[Content_Types].xml": contentTypes({ "word/document.xml": "wordprocessingml.document.main" }),
    "_rels/.rels": relationships([["r1", "officeDocument", "word/document.xml"]]),
    "word/document.xml": word("document", `<w:body>${body}</w:body>`),
  };
  const led: (readonly [string, string, string])[] = [];
  for (const [name, content] of Object.entries(parts)) {
    led.push([name, name, `${name}.xml`]);
    files[`word/${name}.xml`] = word(name, content);
  }
  for (const [type, root, contents] of [
    ["header", "hdr", headers],
    ["footer", "ftr", footers],
  ] as const) {
    for (const [id, content] of Object.entries(contents)) {
      led.push([id, type, `${id}.xml`]);
      files[`word/${id}.xml`] = word(root, content);
    }
  }
  return makeZip({ ...files, "word/_rels/document.xml.rels": relationships(led), ...others });
}

/** Returns a paragraph with one run of text. */
export const paragraph = (text: string, properties = ""): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const styled = (text: string, style: string): string => paragraph(text, `<w:pStyle w:val="${style}"/>`);

/**
 * Returns a table.
 * @param rows rows of cells; each cell holds the XML of its blocks
 */
export const wordTable = (rows: readonly (readonly string[])[], rowProperties = ""): string =>
  `<w:tbl>${rows
    .map((cells) => `<w:tr>${rowProperties}${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join("")}</w:tr>`)
    .join("")}</w:tbl>`;

export interface XlsxParts {
  /**
   * Maps the name of each sheet to the content of its `worksheet` element. If the value is a
   * string, the `worksheet` element contains only a `sheetData` element with that content.
   */
  sheets: Readonly<Record<string, string | { xml: string; state?: string }>>;
  strings?: string;
  /** Content of the element `styleSheet`. */
  styles?: string;
  workbook?: string;
  others?: Readonly<Record<string, string | Uint8Array>>;
}

export function makeXlsx({ sheets, strings = "", styles = "", workbook = "", others = {} }: XlsxParts): Uint8Array {
  const entries = Object.entries(sheets);
  const files: Record<string, string> = {};
  const list = entries.map(([name, sheet], index) => {
    const xml = typeof sheet === "string" ? `<sheetData>${sheet}</sheetData>` : sheet.xml;
    const state = typeof sheet === "string" || sheet.state === undefined ? "" : `state="${sheet.state}"`;
    files[`xl/worksheets/sheet${index}.xml`] = `<worksheet ${sheetNamespaces}>${xml}</worksheet>`;
    return `<sheet name="${name}" sheetId="${index + 1}" ${state} r:id="s${index}"/>`;
  });
  const types = Object.fromEntries(Object.keys(files).map((part) => [part, "spreadsheetml.worksheet"]));
  return makeZip({
    "[Content_Types].xml": contentTypes({
      "xl/workbook.xml": "spreadsheetml.sheet.main",
      "xl/sharedStrings.xml": "spreadsheetml.sharedStrings",
      "xl/styles.xml": "spreadsheetml.styles",
      ...types,
    }),
    "_rels/.rels": relationships([["r1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook ${sheetNamespaces}>${workbook}<sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ...entries.map((_, index) => [`s${index}`, "worksheet", `worksheets/sheet${index}.xml`] as const),
      ["strings", "sharedStrings", "sharedStrings.xml"],
      ["styles", "styles", "styles.xml"],
    ]),
    "xl/sharedStrings.xml": `<sst ${sheetNamespaces}>${strings}</sst>`,
    "xl/styles.xml": `<styleSheet ${sheetNamespaces}>${styles}</styleSheet>`,
    ...files,
    ...others,
  });
}

/** Returns rows of cells that hold text and have no style. */
export const inlineRows = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`)
    .join("");
