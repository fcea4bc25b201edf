/** Words of a page -> reading order, lines and blocks. */
import type { Block, Box, Line, Page, Word } from "./document.ts";
import type { PlacedWord } from "./pdf/words.ts";

export type PageLayout = Pick<Page, "words" | "lines" | "blocks" | "tables">;

export function layOut(words: readonly PlacedWord[]): PageLayout {
  const rows = groupRows(words);
  const ordered: Word[] = [];
  const lines: Line[] = [];
  for (const row of rows) {
    const start = ordered.length;
    for (const { text, box, size, bold } of row) ordered.push({ text, box, size, ...(bold && { bold }) });
    lines.push({ box: unionOf(row), start, end: ordered.length });
  }
  const blocks: Block[] = [];
  if (lines.length > 0) blocks.push({ kind: "paragraph", box: unionOf(lines), start: 0, end: lines.length });
  return { words: ordered, lines, blocks, tables: [] };
}

function groupRows(words: readonly PlacedWord[]): PlacedWord[][] {
  const rows: PlacedWord[][] = [];
  for (const word of [...words].sort((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    const last = row?.[0];
    if (row && last && middle(word) - middle(last) < 0.5 * Math.min(height(word), height(last))) row.push(word);
    else rows.push([word]);
  }
  for (const row of rows) row.sort((a, b) => a.box[0] - b.box[0]);
  return rows;
}

const middle = (word: Word): number => (word.box[1] + word.box[3]) / 2;
const height = (word: Word): number => word.box[3] - word.box[1];

function unionOf(parts: readonly { box: Box }[]): Box {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of parts) {
    x0 = Math.min(x0, box[0]);
    y0 = Math.min(y0, box[1]);
    x1 = Math.max(x1, box[2]);
    y1 = Math.max(y1, box[3]);
  }
  return [x0, y0, x1, y1];
}
