/** `sheaf read`: shows how the service reads a file. */
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { openUnderstanding } from "../compose/understanding.ts";
import { readConfig } from "../config.ts";
import { readableExtensionOf } from "../features/understanding/understanding.service.ts";
import { type Box, type Document, type Page, pageText } from "../reading/document.ts";
import type { ReadableExtension, Reader } from "../reading/reader.ts";

interface ReadCommandOptions {
  json: boolean;
  /** Path at which the image of the page, with the boxes, is saved. */
  boxes?: string;
  page: string;
}

/**
 * Prints the text of the pages, separated by form feeds, as `pdftotext` does. Depending on the
 * options, prints the Document as JSON instead, or draws a page.
 */
export async function read(path: string, options: ReadCommandOptions): Promise<void> {
  const extension = readableExtensionOf(path);
  await using understanding = await openUnderstanding(readConfig());
  const document = await understanding.reader.read(path, extension);
  const { HiddenSheets: hidden } = document.metadata;
  if (hidden !== undefined) console.error(`Hidden sheets are skipped: ${hidden}`);
  if (options.boxes !== undefined)
    await drawBoxes(understanding.reader, { path, extension }, pageOf(document, options.page), options.boxes);
  else console.log(options.json ? JSON.stringify(document) : document.pages.map(pageText).join("\n\f"));
}

function pageOf(document: Document, number: string): Page {
  const page = document.pages.find((each) => String(each.number) === number);
  if (page === undefined) throw new Error(`There is no page ${number}: the file has ${document.pages.length}.`);
  return page;
}

const pictureWidth = 1600;
const colours = { word: "#2b6cb0", block: "#2f855a", table: "#c05621" };

/**
 * Draws words (blue), blocks (green), and tables with their cells (orange) over the image of the
 * page. If the format has no page images, draws them on white.
 */
async function drawBoxes(
  reader: Reader,
  file: { path: string; extension: ReadableExtension },
  page: Page,
  out: string,
): Promise<void> {
  const height = Math.max(1, Math.round((pictureWidth * page.height) / page.width));
  const looks =
    file.extension === "docx" || file.extension === "xlsx"
      ? undefined
      : await reader.renderPage(file.path, file.extension, { page: page.number, width: pictureWidth, format: "png" });
  const white = { create: { width: pictureWidth, height, channels: 3 as const, background: "white" } };
  const base = looks === undefined ? sharp(white) : sharp(looks.bytes).resize(pictureWidth, height, { fit: "fill" });
  await writeFile(
    out,
    await base
      .composite([{ input: Buffer.from(overlayOf(page, height)) }])
      .png()
      .toBuffer(),
  );
}

function overlayOf(page: Page, height: number): string {
  const rectangle = ([x0, y0, x1, y1]: Box, colour: string, width: number): string =>
    `<rect x="${x0}" y="${y0}" width="${Math.max(0, x1 - x0)}" height="${Math.max(0, y1 - y0)}" fill="none" stroke="${colour}" stroke-width="${(width * page.width) / pictureWidth}"/>`;
  const shapes = [
    ...page.words.map(({ box }) => rectangle(box, colours.word, 1)),
    ...page.blocks.map(({ box }) => rectangle(box, colours.block, 2)),
    ...page.tables.flatMap(({ box, cells }) => [
      rectangle(box, colours.table, 4),
      ...cells.map((cell) => rectangle(cell.box, colours.table, 1.5)),
    ]),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureWidth}" height="${height}" viewBox="0 0 ${page.width} ${page.height}" preserveAspectRatio="none">${shapes.join("")}</svg>`;
}
