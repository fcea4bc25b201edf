/** Segments that a person has corrected: their validation, and the names of their files. */
import type { Issue } from "@sheaf/contract/errors.ts";
import { IssueList } from "@sheaf/contract/issues.ts";
import type { CorrectedSegmentJson } from "@sheaf/contract/kept-classifications.ts";

/**
 * Checks that the segments cover all pages, without gaps or overlaps. Returns the first issue
 * found.
 */
export function segmentIssues(segments: readonly CorrectedSegmentJson[], pages: number): Issue[] {
  const issues = new IssueList();
  let next = 1;
  for (const [index, { start, end }] of segments.entries()) {
    if (start !== next) issues.add(`/segments/${index}/start`, `must be ${next}, the page after the previous segment`);
    else if (end < start || end > pages)
      issues.add(`/segments/${index}/end`, `must be a page from ${start} to ${pages}`);
    if (issues.list.length > 0) return issues.list;
    next = end + 1;
  }
  if (next <= pages) issues.add("/segments", `must cover every page: ${next} to ${pages} are in no segment`);
  return issues.list;
}

/**
 * Characters that are not allowed in file names on some file systems, that are invisible, or that
 * change the display order of other characters.
 */
const unsafe = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu;
/** Maximum length of a file name without its extension. File systems allow 255 bytes. */
const maxNameLength = 60;

/**
 * Returns the file name of the PDF of a segment, made from its title, or from its label if it has
 * no title.
 */
export function segmentFilename({ title, label }: CorrectedSegmentJson, index: number): string {
  const [name] = [title, label].map(safeName).filter((each) => each !== "");
  return `${name ?? `part-${index + 1}`}.pdf`;
}

const safeName = (text: string): string => {
  const clean = text.toWellFormed().normalize("NFC").replace(unsafe, " ").replace(/\s+/g, " ");
  const short = [...clean.replace(/^[\s.]+/, "")].slice(0, maxNameLength).join("");
  return short.replace(/(?<![\s.])[\s.]+$/, "");
};
