/**
 * Reads a docx in this process. Call it only in a reading process, or in tests with trusted files.
 */
import type { Document, OutlineEntry, Page } from "../../document.ts";
import { ReadingError } from "../../reader.ts";
import { pageOfDraft } from "../ooxml/draft-page.ts";
import { readMetadata } from "../ooxml/metadata.ts";
import { mainPartOf, optionalTree, type Relationship, relationshipsOf } from "../ooxml/package.ts";
import { flagOf, visitXmlTrees, type XmlElement } from "../ooxml/xml-tree.ts";
import { openZip, type Zip } from "../ooxml/zip.ts";
import { Fields } from "./field-codes.ts";
import { Flow } from "./flow.ts";
import { type DocxLimits, defaultDocxLimits, type StoryBlock } from "./model.ts";
import { NoteMarks, notesOf } from "./notes.ts";
import { Numbering } from "./numbering.ts";
import { outlineOf } from "./outline.ts";
import { type DocxPage, paginate } from "./paginate.ts";
import { readSection, type Section, variantOf } from "./sections.ts";
import { isBlockWrapper, readBlocks, readStory, type StoryContext } from "./story.ts";
import { readStyles } from "./styles.ts";

export const docxMime = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** An open docx. Its pages can be read in any order. */
export interface OpenDocx {
  readonly pages: number;
  readonly metadata: Record<string, string>;
  readonly outline: OutlineEntry[];
  /**
   * Returns page `number`, from 1.
   * @throws ReadingError `too_complex` if the pages read so far have too many characters.
   */
  readPage(number: number): Page;
}

/** Names of the attributes that the code in this folder uses. */
const attributes: ReadonlySet<string> = new Set([
  ...[
    "w:val",
    "w:type",
    "w:id",
    "r:id",
    "w:styleId",
    "w:default",
    "w:abstractNumId",
    "w:numId",
    "w:ilvl",
    "w:w",
    "w:h",
  ],
  ...["w:left", "w:start", "w:right", "w:top", "w:bottom", "w:header", "w:footer", "w:hanging", "w:firstLine", "w:pos"],
  ...["w:fldCharType", "w:instr", "w:char", "w:font", "w:ascii", "w:hAnsi", "w:customMarkFollows", "w14:val"],
]);

/** @throws ReadingError `empty`, `corrupt`, `encrypted` or `too_complex`. */
export function openDocx(bytes: Uint8Array, limits: DocxLimits = defaultDocxLimits): OpenDocx {
  const zip = openZip(bytes);
  const pages = new DocxPages(zip, limits);
  return {
    pages: pages.contents.length,
    metadata: readMetadata(zip),
    outline: outlineOf(pages.contents),
    readPage: (number) => pages.read(number),
  };
}

/** Reads the whole document. */
export function readDocx(bytes: Uint8Array, limits: DocxLimits = defaultDocxLimits): Document {
  const { pages: count, metadata, outline, readPage } = openDocx(bytes, limits);
  const pages = Array.from({ length: count }, (_, index) => readPage(index + 1));
  return { mime: docxMime, pages, ...(outline.length > 0 && { outline }), metadata };
}

class DocxPages {
  readonly contents: readonly DocxPage[];
  readonly #zip: Zip;
  readonly #limits: DocxLimits;
  readonly #context: StoryContext;
  readonly #sections: Section[] = [];
  readonly #notes: ReadonlyMap<string, XmlElement>;
  readonly #evenDiffers: boolean;
  readonly #stories = new Map<string, StoryBlock[]>();
  #characters = 0;
  #parts = 0;

  constructor(zip: Zip, limits: DocxLimits) {
    this.#zip = zip;
    this.#limits = limits;
    const mainPart = mainPartOf(zip, "word/document.xml");
    const relationships = relationshipsOf(zip, mainPart);
    const tree = (type: string) => optionalTree(zip, partOf(relationships, type), attributes);
    const settings = tree("settings");
    this.#evenDiffers = flagOf(settings, "w:evenAndOddHeaders") ?? false;
    this.#notes = new Map([...notesOf("footnote", tree("footnotes")), ...notesOf("endnote", tree("endnotes"))]);
    this.#context = {
      styles: readStyles(tree("styles")),
      numbering: new Numbering(tree("numbering")),
      notes: new NoteMarks(settings),
      spend: (parts) => this.#spendParts(parts),
    };
    const targets = new Map(relationships.map(({ id, target }) => [id, target]));
    const section = (element: XmlElement | undefined) =>
      this.#sections.push(readSection(element, this.#sections.at(-1), targets)) - 1;
    const blocks = readBody(zip.read(mainPart) ?? new Uint8Array(), { ...this.#context, section });
    this.contents = paginate(blocks, this.#sections, limits.maxPages);
  }

  /**
   * Lays out header, body, notes and footer from top to bottom. If they don't fit on the page, the
   * page is made taller.
   */
  read(number: number): Page {
    const content = this.contents[number - 1];
    const section = this.#sections[content?.section ?? 0];
    if (content === undefined || section === undefined) throw new RangeError(`There is no page ${number}.`);
    const page = { number, isFirst: content.isFirst };
    const { width, left } = section;
    const right = width - section.right;
    const flow = new Flow({ pageNumber: number, spend: (characters) => this.#spend(characters) }, section.headerTop);
    flow.place(this.#partStory(variantOf(section.headers, page, section, this.#evenDiffers)), left, right);
    flow.y = Math.max(flow.y, section.top);
    flow.place(content.blocks, left, right);
    for (const key of content.notes) flow.place(this.#noteStory(key), left, right);
    flow.y = Math.max(flow.y, section.height - section.bottom);
    flow.place(this.#partStory(variantOf(section.footers, page, section, this.#evenDiffers)), left, right);
    const height = Math.max(section.height, flow.y + section.footerBottom);
    return pageOfDraft({ number, width, height, blocks: flow.blocks, tables: flow.tables });
  }

  #partStory(part: string | undefined): StoryBlock[] {
    if (part === undefined) return [];
    return this.#story(part, () => {
      const root = optionalTree(this.#zip, part, attributes);
      return root === undefined ? [] : readStory(root, this.#context);
    });
  }

  #noteStory(key: string): StoryBlock[] {
    return this.#story(key, () => {
      const note = this.#notes.get(key);
      this.#context.notes.current = this.#context.notes.markOf(key);
      return note === undefined ? [] : readStory(note, this.#context);
    });
  }

  #story(key: string, read: () => StoryBlock[]): StoryBlock[] {
    const known = this.#stories.get(key);
    if (known !== undefined) return known;
    const blocks = read();
    this.#stories.set(key, blocks);
    return blocks;
  }

  #spendParts(parts: number): void {
    this.#parts += parts;
    if (this.#parts > this.#limits.maxParts) {
      throw new ReadingError("too_complex", `The file has more than ${this.#limits.maxParts} paragraphs and runs.`);
    }
  }

  #spend(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#limits.maxCharacters) {
      throw new ReadingError("too_complex", `The file has more than ${this.#limits.maxCharacters} characters.`);
    }
  }
}

type BodyContext = StoryContext & Required<Pick<StoryContext, "section">>;

/**
 * Reads the body block by block, so that its XML is never in memory as a whole. The properties of
 * the last section are at the end of the body.
 */
function readBody(xml: Uint8Array, context: BodyContext): StoryBlock[] {
  const blocks: StoryBlock[] = [];
  const fields = new Fields();
  let last: XmlElement | undefined;
  visitXmlTrees(xml, attributes, {
    isWrapper(name, depth) {
      if (depth > 0) return isBlockWrapper(name);
      if (name !== "w:document") throw new ReadingError("corrupt", "The file is not a docx.");
      return true;
    },
    visit(element) {
      if (element.name === "w:sectPr") last = element;
      for (const block of readBlocks([element], context, fields)) blocks.push(block);
    },
  });
  context.section(last);
  return blocks;
}

const partOf = (relationships: readonly Relationship[], type: string): string | undefined =>
  relationships.find((relationship) => relationship.type === type)?.target;
