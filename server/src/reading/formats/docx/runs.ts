/** Reads the content of a paragraph: its runs, including those nested in wrapper elements. */
import { childOf, childrenOf, flagOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { type Fields, fieldName } from "./field-codes.ts";
import type { DocxTable, Inline, StoryBlock } from "./model.ts";
import type { NoteMarks } from "./notes.ts";
import type { Properties } from "./styles.ts";
import { symbolText } from "./symbols.ts";

export interface RunSettings {
  fields: Fields;
  notes: NoteMarks;
  /** Returns the properties of a run. They include those of its styles. */
  look(run: XmlElement | undefined): Properties;
  /** Returns the blocks of a text box. */
  blocks(elements: readonly XmlElement[]): StoryBlock[];
  table(element: XmlElement): DocxTable;
}

export function readInlines(paragraph: XmlElement, settings: RunSettings): Inline[] {
  const reader = new InlineReader(settings);
  reader.readAll(paragraph);
  return reader.inlines;
}

/** Elements whose content is not read, such as properties, deleted text and field data. */
const unread = new Set([
  ...["w:pPr", "w:rPr", "w:del", "w:moveFrom", "w:sdtPr", "w:sdtEndPr", "w:smartTagPr", "w:customXmlPr", "w:rt"],
  ...["w:rubyPr", "w:delText", "w:delInstrText", "w:annotationRef", "w:fldData", "m:ctrlPr"],
]);

class InlineReader {
  readonly inlines: Inline[] = [];
  readonly #settings: RunSettings;
  #look: Properties;
  /** True if the page number of the current field has already been added. */
  #numberShown = false;

  constructor(settings: RunSettings) {
    this.#settings = settings;
    this.#look = settings.look(undefined);
  }

  readAll(parent: XmlElement): void {
    for (const element of parent.children) this.#read(element);
  }

  #read(element: XmlElement): void {
    const read = this.#readers[element.name];
    if (read !== undefined) read(element);
    else if (!unread.has(element.name)) this.readAll(element);
  }

  readonly #readers: Readonly<Record<string, (element: XmlElement) => void>> = {
    "w:r": (run) => this.#readRun(run),
    "w:t": ({ text }) => this.#addText(text),
    "w:tab": () => this.#addText("\t"),
    "w:ptab": () => this.#addText("\t"),
    "w:br": ({ attributes }) => this.#addBreak(attributes["w:type"]),
    "w:cr": () => this.#addText("\n"),
    "w:noBreakHyphen": () => this.#addText("-"),
    "w:sym": ({ attributes }) =>
      this.#addText(symbolText(attributes["w:font"] ?? "", Number.parseInt(attributes["w:char"] ?? "", 16) || 0)),
    "w:lastRenderedPageBreak": () => this.inlines.push({ kind: "break", rendered: true }),
    "w:fldChar": (mark) => this.#readFieldMark(mark),
    "w:instrText": ({ text }) => this.#settings.fields.addCode(text),
    "w:fldSimple": (field) => this.#readSimpleField(field),
    "w:footnoteReference": (reference) => this.#addNote(reference),
    "w:endnoteReference": (reference) => this.#addNote(reference),
    "w:footnoteRef": () => this.#addText(`${this.#settings.notes.current} `),
    "w:endnoteRef": () => this.#addText(`${this.#settings.notes.current} `),
    "w:sdt": (control) => this.#readControl(control),
    "mc:AlternateContent": (element) => this.readAll(chosen(element) ?? element),
    "w:txbxContent": (box) => this.#addBlocks(box.children),
    "w:p": (paragraph) => this.#addBlocks([paragraph]),
    "w:tbl": (table) => this.inlines.push({ kind: "blocks", blocks: [this.#settings.table(table)] }),
    "m:t": ({ text }) => this.#addText(text),
    "m:f": (fraction) => this.#readFraction(fraction),
    "m:oMath": (formula) => this.#readMath(formula),
  };

  #readRun(run: XmlElement): void {
    const outer = this.#look;
    this.#look = this.#settings.look(childOf(run, "w:rPr"));
    this.readAll(run);
    this.#look = outer;
  }

  #addBreak(type: string | undefined): void {
    if (type === "page") {
      if (this.#isShown) this.inlines.push({ kind: "break", rendered: false });
    } else this.#addText("\n");
  }

  get #isShown(): boolean {
    return this.#settings.fields.shown && this.#look.hidden !== true;
  }

  #addText(text: string): void {
    if (text === "" || !this.#isShown) return;
    const { size = 10, bold = false } = this.#look;
    const isNumber = this.#settings.fields.name === "PAGE" && /\d|[ivxlcdm]/iu.test(text);
    if (isNumber && this.#numberShown) return;
    this.#numberShown = isNumber;
    this.inlines.push({ kind: isNumber ? "pageNumber" : "text", text, size, bold });
  }

  #readFieldMark(element: XmlElement): void {
    const { fields } = this.#settings;
    const type = element.attributes["w:fldCharType"];
    if (type === "begin") {
      if (this.#isShown) this.#addText(formFieldText(element));
      fields.begin();
      this.#numberShown = false;
    } else if (type === "separate") fields.separate();
    else if (type === "end") fields.end();
  }

  #readSimpleField(element: XmlElement): void {
    const { fields } = this.#settings;
    fields.begin();
    fields.addCode(fieldName(element.attributes["w:instr"] ?? ""));
    fields.separate();
    this.#numberShown = false;
    this.readAll(element);
    fields.end();
  }

  /**
   * Reads the content that a content control shows. A check box is read from its state instead,
   * because the character shown for it depends on the font.
   */
  #readControl(element: XmlElement): void {
    const properties = childOf(element, "w:sdtPr");
    const box = childOf(properties, "w14:checkbox");
    const content = childOf(element, "w:sdtContent");
    if (box === undefined) {
      if (content !== undefined) this.readAll(content);
      return;
    }
    const checked = childOf(box, "w14:checked")?.attributes["w14:val"];
    this.#addText(checked === "1" || checked === "true" ? "☑" : "☐");
  }

  #addNote(element: XmlElement): void {
    const { attributes, name } = element;
    const id = attributes["w:id"];
    if (id === undefined || !this.#isShown) return;
    const type = name === "w:footnoteReference" ? "footnote" : "endnote";
    const isCustom = ["1", "true", "on"].includes(attributes["w:customMarkFollows"] ?? "");
    const { key, mark } = this.#settings.notes.refer(type, id, isCustom);
    this.inlines.push({ kind: "note", key, mark, size: (this.#look.size ?? 10) * superscript });
  }

  #addBlocks(elements: readonly XmlElement[]): void {
    if (!this.#isShown) return;
    const blocks = this.#settings.blocks(elements);
    if (blocks.length > 0) this.inlines.push({ kind: "blocks", blocks });
  }

  /** Reads a formula as separate words, so that its letters do not join the words around it. */
  #readMath(element: XmlElement): void {
    this.#addText(" ");
    this.readAll(element);
    this.#addText(" ");
  }

  #readFraction(element: XmlElement): void {
    for (const [index, part] of [childOf(element, "m:num"), childOf(element, "m:den")].entries()) {
      if (index > 0) this.#addText("/");
      if (part !== undefined) this.readAll(part);
    }
  }
}

const superscript = 0.65;

/**
 * Returns the text that a legacy form field shows in addition to its result: its check box, or the
 * selected entry of its list.
 */
function formFieldText(mark: XmlElement): string {
  const data = childOf(mark, "w:ffData");
  const box = childOf(data, "w:checkBox");
  if (box !== undefined) return (flagOf(box, "w:checked") ?? flagOf(box, "w:default")) ? "☑" : "☐";
  const list = childOf(data, "w:ddList");
  if (list === undefined) return "";
  const chosenEntry = childOf(list, "w:result") ?? childOf(list, "w:default");
  const entries = childrenOf(list, "w:listEntry");
  return entries[Number(chosenEntry?.attributes["w:val"] ?? 0)]?.attributes["w:val"] ?? "";
}

/**
 * Chooses among several alternative versions of the same content, which a file may contain. Returns
 * the version to read.
 */
export function chosen(element: XmlElement): XmlElement | undefined {
  return childOf(element, "mc:Choice") ?? childOf(element, "mc:Fallback");
}
