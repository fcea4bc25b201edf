/** Reads the metadata and the outline of a PDF. */
import type { OutlineEntry } from "../../document.ts";
import { type Pdfium, readWideString, withString } from "./pdfium.ts";

const tags = ["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate"] as const;

/**
 * Returns the metadata of the file without empty entries. Dates stay as written:
 * `D:20261121083000+01'00'`.
 */
export function readMetadata(pdfium: Pdfium, document: number): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const tag of tags) {
    const text = withString(pdfium, tag, (name) =>
      readWideString(pdfium, (buffer, bytes) => pdfium.call.FPDF_GetMetaText(document, name, buffer, bytes)),
    );
    const clean = text && cleanText(text);
    if (clean) metadata[tag] = clean;
  }
  return metadata;
}

/**
 * Maximum number of outline entries. The limit is needed because entries point to each other in the
 * file, and may do so in a loop.
 */
const maxEntries = 5000;
/** Maximum number of levels of an outline. Chosen by hand, 2026-11. */
const maxLevels = 32;

/**
 * Returns the outline from top to bottom. Each entry comes before its children. The top level is 1.
 * `page` is null if the target is not a page of the file.
 */
export function readOutline(pdfium: Pdfium, document: number): OutlineEntry[] {
  const { call } = pdfium;
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  const visit = (parent: number, level: number) => {
    let bookmark = call.FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark !== 0 && !seen.has(bookmark) && entries.length < maxEntries) {
      seen.add(bookmark);
      entries.push({ title: titleOf(pdfium, bookmark), page: pageOf(pdfium, document, bookmark), level });
      if (level < maxLevels) visit(bookmark, level + 1);
      bookmark = call.FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  visit(0, 1);
  return entries.filter((entry) => entry.title !== "");
}

function titleOf(pdfium: Pdfium, bookmark: number): string {
  const title = readWideString(pdfium, (buffer, bytes) => pdfium.call.FPDFBookmark_GetTitle(bookmark, buffer, bytes));
  return cleanText(title ?? "");
}

function pageOf({ call }: Pdfium, document: number, bookmark: number): number | null {
  const target = call.FPDFBookmark_GetDest(document, bookmark);
  const index = target === 0 ? -1 : call.FPDFDest_GetDestPageIndex(document, target);
  return index < 0 ? null : index + 1;
}

/** Maximum length of a text, in characters. Chosen by hand, 2026-11. */
const maxLength = 2000;

const cleanText = (text: string): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
