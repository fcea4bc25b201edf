/**
 * Exports the evidence as a PDF. It contains each page that has values, with numbered boxes on the
 * page and a list of the values beside it. Each page is a picture, so that text of any script looks
 * as it does on the screen.
 */
import { queryClient } from "../../app/queries.ts";
import type { Box } from "../../document/geometry.ts";
import type { PageSource, PageWords } from "../../document/page-source.ts";
import { type PdfPicture, picturePdf } from "../../ui/picture-pdf.ts";
import { type RowNode, type ValueNode, valuesOf } from "./review-model.ts";

/** A value, or all values of a list row that are on one page, with the boxes of their words. */
export interface MarkedValue {
  page: number;
  boxes: readonly Box[];
  /**
   * Name of the field. For a row: the names of the lists that contain it, each followed by a row
   * number counted from 1.
   */
  name: string;
  /** The value as shown to the user. For a row: each of its values, with the name of its field. */
  text: string;
}

/**
 * Returns the values that have boxes, in the order of the fields.
 * @param shown returns a value as it is shown to the user
 */
export function markedValues(records: readonly RowNode[], shown: (node: ValueNode) => string): MarkedValue[] {
  const entries = new Map<string, MarkedValue>();
  for (const node of valuesOf(records)) {
    if (!node.marks) continue;
    const { page, boxes } = node.marks;
    const around = node.path.split("/").slice(1, -1);
    // Leaves out the record number if the result has only one record.
    const names = around.slice(records.length > 1 ? 0 : 1).map((part) => (/^\d+$/.test(part) ? `${+part + 1}` : part));
    const name = [...names, ...(node.isInList ? [] : [node.param.name])].join(" ");
    const text = node.isInList ? `${node.param.name} ${shown(node)}` : shown(node);
    const key = `${page} ${node.isInList ? around.join("/") : node.path}`;
    const entry = entries.get(key);
    entries.set(key, {
      page,
      name,
      boxes: [...(entry?.boxes ?? []), ...boxes],
      text: entry ? `${entry.text}; ${text}` : text,
    });
  }
  return [...entries.values()];
}

/** Width of the picture of a page, in pixels. */
const pageWidth = 1_500;
/** Width of the list of values beside the page, in pixels. */
const listWidth = 700;
/** Width of a page of the PDF in points: A4 in landscape. */
const pdfWidth = 842;
/** Line height of the list, in pixels. */
const lineHeight = 30;
/** Maximum number of lines of a value in the list. */
const maxLines = 4;
/** Font size of the list, in pixels. */
const fontSize = 22;
const margin = 28;
const jpegQuality = 0.85;
const fontFamily = "Arial, Helvetica, sans-serif";
const colours = { paper: "#ffffff", ink: "#1c2420", muted: "#5b6660", box: "#b45309", fill: "rgb(245 158 11 / 0.22)" };

/**
 * Returns the PDF. On each page, values are numbered from 1 in the given order.
 * @throws the error of the service if a page cannot be loaded
 */
export async function evidencePdf(
  source: PageSource,
  values: readonly MarkedValue[],
  heading: (page: number) => string,
): Promise<Blob> {
  const pictures: PdfPicture[] = [];
  const byPage = Map.groupBy(values, ({ page }) => page);
  for (const page of [...byPage.keys()].sort((one, other) => one - other))
    pictures.push(
      await drawPage(source, await queryClient.fetchQuery(source.wordsOf(page)), byPage.get(page) ?? [], heading(page)),
    );
  return picturePdf(pictures);
}

async function drawPage(
  source: PageSource,
  words: PageWords,
  values: readonly MarkedValue[],
  heading: string,
): Promise<PdfPicture> {
  const scale = pageWidth / words.width;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser cannot render images.");
  context.font = `${fontSize}px ${fontFamily}`;
  const entries = values.map(({ name, text }, index) => wrapped(context, `${index + 1}  ${name}: ${text}`));
  const lines = entries.reduce((sum, entry) => sum + entry.length, 0);
  const listHeight = 2 * margin + lineHeight * (lines + entries.length / 2 + 2);
  canvas.width = pageWidth + listWidth;
  canvas.height = Math.ceil(Math.max(words.height * scale, listHeight));
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (source.hasImage && words.has_image) {
    const image = await loadImage(source.imageUrl(words.page, 1800));
    context.drawImage(image, 0, 0, pageWidth, words.height * scale);
    image.close();
  } else drawWords(context, words, scale);
  for (const [index, { boxes }] of values.entries()) drawBoxes(context, boxes, scale, `${index + 1}`);
  drawList(context, entries, heading);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", jpegQuality));
  if (blob === null) throw new Error("The browser cannot encode pictures.");
  return {
    jpeg: new Uint8Array(await blob.arrayBuffer()),
    width: canvas.width,
    height: canvas.height,
    pageWidth: pdfWidth,
    pageHeight: (pdfWidth * canvas.height) / canvas.width,
  };
}

async function loadImage(url: string): Promise<ImageBitmap> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The image of a page is not available (status ${response.status}).`);
  return createImageBitmap(await response.blob());
}

/** Draws the words of a page that has no image, each as wide as its box. */
function drawWords(context: CanvasRenderingContext2D, { words, boxes }: PageWords, scale: number): void {
  context.fillStyle = colours.ink;
  context.textBaseline = "alphabetic";
  for (const [index, word] of words.entries()) {
    const [left, top, right, bottom] = boxes[index] ?? [0, 0, 0, 0];
    context.font = `${0.8 * (bottom - top) * scale}px ${fontFamily}`;
    context.fillText(word, left * scale, (bottom - 0.2 * (bottom - top)) * scale, (right - left) * scale);
  }
}

function drawBoxes(context: CanvasRenderingContext2D, boxes: readonly Box[], scale: number, label: string): void {
  context.lineWidth = 2;
  for (const [left, top, right, bottom] of boxes) {
    const box = [left * scale - 2, top * scale - 2, (right - left) * scale + 4, (bottom - top) * scale + 4] as const;
    context.fillStyle = colours.fill;
    context.fillRect(...box);
    context.strokeStyle = colours.box;
    context.strokeRect(...box);
  }
  const [first] = boxes;
  if (first === undefined) return;
  context.font = `bold ${fontSize - 6}px ${fontFamily}`;
  context.textBaseline = "bottom";
  const width = context.measureText(label).width + 8;
  // Draws the number beside the box, so that it does not cover text.
  const x = Math.max(0, first[0] * scale - 2 - width);
  const y = first[1] * scale + fontSize - 6;
  context.fillStyle = colours.box;
  context.fillRect(x, y - fontSize + 4, width, fontSize - 4);
  context.fillStyle = colours.paper;
  context.fillText(label, x + 4, y);
}

function drawList(context: CanvasRenderingContext2D, entries: readonly string[][], heading: string): void {
  const left = pageWidth + margin;
  let y = margin + lineHeight;
  context.textBaseline = "alphabetic";
  context.fillStyle = colours.muted;
  context.font = `bold ${fontSize}px ${fontFamily}`;
  context.fillText(heading, left, y, listWidth - 2 * margin);
  context.fillStyle = colours.ink;
  context.font = `${fontSize}px ${fontFamily}`;
  y += 1.5 * lineHeight;
  for (const entry of entries) {
    for (const line of entry) {
      context.fillText(line, left, y, listWidth - 2 * margin);
      y += lineHeight;
    }
    y += lineHeight / 2;
  }
}

/**
 * Breaks a text into lines of the list, ending with an ellipsis if there are too many. A word that
 * is wider than a line is compressed when it is drawn.
 */
function wrapped(context: CanvasRenderingContext2D, text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && context.measureText(longer).width > listWidth - 2 * margin) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1]} …`];
}
