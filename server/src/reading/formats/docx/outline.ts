/** Makes the outline of a docx: its headings and their pages. */
import type { OutlineEntry } from "../../document.ts";
import { wordsOf } from "../ooxml/draft-page.ts";
import type { Paragraph } from "./model.ts";
import type { DocxPage } from "./paginate.ts";

/** Maximum number of outline entries. Chosen by hand, 2026-11. */
const maxEntries = 5000;
/** Maximum length of a title, in characters. Chosen by hand, 2026-11. */
const maxTitleLength = 500;

export function outlineOf(pages: readonly DocxPage[]): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (const [index, { blocks }] of pages.entries()) {
    for (const block of blocks) {
      if (block.kind !== "paragraph" || block.role !== "heading") continue;
      const title = titleOf(block);
      if (title === "") continue;
      if (entries.length === maxEntries) return entries;
      entries.push({ title, page: index + 1, level: block.level });
    }
  }
  return entries;
}

function titleOf({ label, content }: Paragraph): string {
  const text = content.map((inline) => (inline.kind === "text" ? inline.text : "")).join("");
  return [...wordsOf(label), ...wordsOf(text)].join(" ").slice(0, maxTitleLength);
}
