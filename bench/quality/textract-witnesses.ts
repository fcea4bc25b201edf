/**
 * Collects the text that other programs find in the files of the set `textract`. A word counts as
 * invented only if none of these programs finds it. The reference text alone is not enough to
 * decide this, because it is incomplete. It contains what one extractor found in a PDF, the main
 * part of a docx, and the string cells of an xlsx.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type CellObject, read, utils, type WorkBook } from "@e965/xlsx";
import mammoth from "mammoth";
import { openZip } from "../../server/src/reading/formats/ooxml/zip.ts";

/** Texts that other programs found, by the path of the file. */
export type Witnesses = Map<string, string[]>;

const run = promisify(execFile);
const maxBuffer = 2 ** 28;

export const pdftotext = async (path: string, ...options: string[]): Promise<string> =>
  (await run("pdftotext", [...options, path, "-"], { maxBuffer }).catch(() => undefined))?.stdout ?? "";

/**
 * Returns the text that other programs find in each file. If LibreOffice is installed, also renders
 * each docx, because a rendered docx includes list numbers and the headers of each page.
 */
export async function witnessesOf(paths: readonly string[]): Promise<Witnesses> {
  const documents = paths.filter((path) => path.endsWith(".docx"));
  const rendered = await renderedDocuments(documents);
  const witnesses: Witnesses = new Map();
  for (const path of paths) {
    if (path.endsWith(".pdf")) {
      witnesses.set(path, [await pdftotext(path), await pdftotext(path, "-raw"), await pdftotext(path, "-layout")]);
    } else if (path.endsWith(".docx")) {
      const { value } = await mammoth.extractRawText({ path });
      witnesses.set(path, [value, await storyText(path), rendered.get(path) ?? ""]);
    } else witnesses.set(path, [await sheetText(path)]);
  }
  return witnesses;
}

/** Returns all text of the visible parts of a docx, one part after the other. */
async function storyText(path: string): Promise<string> {
  const zip = openZip(await readFile(path));
  const parts = ["document", "footnotes", "endnotes"];
  for (let number = 1; number <= 20; number++) parts.push(`header${number}`, `footer${number}`);
  return parts
    .map((part) => new TextDecoder().decode(zip.read(`word/${part}.xml`)))
    .flatMap((xml) => xml.split(/<\/w:p>|<w:(?:tab|br|cr)\b|<m:oMath\b/u))
    .map((paragraph) => [...paragraph.matchAll(/<[wm]:t(?: [^>]*)?>([^<]*)</gu)].map(([, text]) => text).join(""))
    .join("\n");
}

async function renderedDocuments(paths: readonly string[]): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "textract-"));
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const convert = ["--headless", "--convert-to", "pdf", "--outdir", folder, ...paths];
  try {
    await run("libreoffice", [profile, ...convert], { timeout: 300_000 }).catch(() =>
      console.log("LibreOffice is not installed: list numbers and repeated headers count as invented."),
    );
    const files = new Set(await readdir(folder));
    const texts = new Map<string, string>();
    for (const path of paths) {
      const file = `${basename(path, ".docx")}.pdf`;
      if (files.has(file)) texts.set(path, await pdftotext(join(folder, file)));
    }
    return texts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the names of visible sheets and the displayed values of their cells, without hidden rows
 * and columns.
 */
async function sheetText(path: string): Promise<string> {
  const book: WorkBook = read(await readFile(path), { cellStyles: true, cellNF: true });
  const lines: string[] = [];
  for (const [index, name] of book.SheetNames.entries()) {
    const sheet = book.Sheets[name];
    if (sheet === undefined || book.Workbook?.Sheets?.[index]?.Hidden) continue;
    lines.push(name);
    for (const reference of Object.keys(sheet).filter((key) => !key.startsWith("!"))) {
      const { r, c } = utils.decode_cell(reference);
      if (sheet["!rows"]?.[r]?.hidden || sheet["!cols"]?.[c]?.hidden) continue;
      const cell: CellObject = sheet[reference];
      if (cell.v !== undefined) lines.push(cell.w ?? String(cell.v));
    }
  }
  return lines.join("\n");
}
