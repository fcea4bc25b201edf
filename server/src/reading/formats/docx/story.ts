/**
 * Reads a story of a docx (body, header, footer, note or text box) as blocks: paragraphs and
 * tables, in order.
 */
import { childOf, flagOf, valOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { readTable } from "./docx-tables.ts";
import { Fields } from "./field-codes.ts";
import type { DocxTable, Inline, Paragraph, StoryBlock } from "./model.ts";
import type { NoteMarks } from "./notes.ts";
import type { Numbering } from "./numbering.ts";
import { chosen, type RunSettings, readInlines } from "./runs.ts";
import { defined, type Properties, paragraphProperties, runProperties, type Styles } from "./styles.ts";

/** State that all stories of a file share. */
export interface StoryContext {
  styles: Styles;
  numbering: Numbering;
  notes: NoteMarks;
  /** Called with the number of parts of each paragraph. Throws if the total is too large. */
  spend(parts: number): void;
  /**
   * Called with the properties of each section of the body, in order. Returns the index of the
   * section.
   */
  section?: (properties: XmlElement | undefined) => number;
}

/**
 * Elements that only wrap blocks. Wrappers of deleted or moved-away content are missing here on
 * purpose, so that their content is not read.
 */
const wrappers = new Set([
  ...["w:sdt", "w:sdtContent", "w:customXml", "w:smartTag", "w:ins", "w:moveTo", "w:body", "w:txbxContent"],
]);

export const isBlockWrapper = (name: string): boolean => wrappers.has(name);

export function readStory(root: XmlElement, context: StoryContext): StoryBlock[] {
  return readBlocks(root.children, context, new Fields());
}

/**
 * Returns the blocks of a part of a story. A field that is still open at the end of the part
 * continues in the next part.
 */
export function readBlocks(elements: readonly XmlElement[], context: StoryContext, fields: Fields): StoryBlock[] {
  const blocks: StoryBlock[] = [];
  collect(elements, context, fields, blocks);
  return blocks;
}

/**
 * Collects blocks. `fields` is passed on, because a field may begin in one paragraph and end in
 * another.
 */
function collect(elements: readonly XmlElement[], context: StoryContext, fields: Fields, blocks: StoryBlock[]): void {
  for (const element of elements) {
    if (element.name === "w:p") blocks.push(readParagraph(element, context, fields));
    else if (element.name === "w:tbl") blocks.push(tableOf(element, context, fields));
    else if (element.name === "mc:AlternateContent")
      collect((chosen(element) ?? element).children, context, fields, blocks);
    else if (wrappers.has(element.name)) collect(element.children, context, fields, blocks);
  }
}

function tableOf(element: XmlElement, context: StoryContext, fields: Fields): DocxTable {
  return readTable(element, (cell) => readBlocks(cell.children, context, fields));
}

function readParagraph(element: XmlElement, context: StoryContext, fields: Fields): Paragraph {
  const own = childOf(element, "w:pPr");
  const stated = defined(paragraphProperties(own));
  const { styles } = context;
  const look = { ...styles.defaults, ...styles.paragraph(valOf(own, "w:pStyle")), ...stated };
  const label = labelOf(look, own, context.numbering);
  const level = look.outlineLevel ?? bodyLevel;
  const section = childOf(own, "w:sectPr");
  const content = paragraphContent(element, look, context, fields);
  context.spend(content.length + 1);
  return {
    kind: "paragraph",
    role: level < bodyLevel ? "heading" : label === undefined ? "paragraph" : "list",
    level: level + 1,
    label: label?.text ?? "",
    content,
    indent: stated.indent ?? label?.indent ?? look.indent ?? 0,
    firstLine: stated.firstLine ?? label?.firstLine ?? look.firstLine ?? 0,
    align: alignment(look),
    tabs: look.tabs ?? [],
    size: look.size ?? 10,
    breakBefore: look.breakBefore ?? false,
    rightToLeft: look.rightToLeft ?? false,
    ...(section && context.section && { endsSection: context.section(section) }),
  };
}

/** Outline level that means body text. */
const bodyLevel = 9;

/**
 * Returns the label of a list item. An item is not counted if its paragraph mark is hidden or
 * deleted, because its number is then hidden or deleted too.
 */
function labelOf({ listId, listLevel }: Properties, own: XmlElement | undefined, numbering: Numbering) {
  if (listId === undefined || listId === "0") return undefined;
  if (flagOf(childOf(own, "w:rPr"), "w:vanish")) return undefined;
  return numbering.next(listId, listLevel ?? 0);
}

function paragraphContent(element: XmlElement, look: Properties, context: StoryContext, fields: Fields): Inline[] {
  const settings: RunSettings = {
    fields,
    notes: context.notes,
    look: (run) => ({
      ...look,
      ...context.styles.character(valOf(run, "w:rStyle")),
      ...defined(runProperties(run)),
    }),
    blocks: (elements) => readBlocks(elements, context, new Fields()),
    table: (table) => tableOf(table, context, fields),
  };
  return readInlines(element, settings);
}

function alignment({ align, rightToLeft }: Properties): Paragraph["align"] {
  if (align === "center") return "center";
  if (align === "end") return "end";
  // Only the strict file format has "start" and "end". In a right-to-left paragraph, "right" is the
  // start.
  return align === "right" && !rightToLeft ? "end" : "start";
}
