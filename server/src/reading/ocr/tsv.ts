/**
 * Parses Tesseract's table of words. Its columns are: level, page, block, paragraph, line, word,
 * left, top, width, height, confidence, text.
 */
import type { OcrWord } from "./ocr-engine.ts";

const wordLevel = "5";

/**
 * Returns the words in the table, without rows for other levels such as lines, and without words
 * that have no text.
 */
export function wordsOfTsv(tsv: string): OcrWord[] {
  const words: OcrWord[] = [];
  const lines = new Map<string, number>();
  for (const row of tsv.split("\n")) {
    const [level, page, block, paragraph, lineNumber, , left, top, width, height, confidence, ...texts] =
      row.split("\t");
    if (level !== wordLevel) continue;
    const text = texts.join(" ").trim().toWellFormed();
    const [x, y, wide, high] = [Number(left), Number(top), Number(width), Number(height)];
    const percent = Number(confidence);
    if (text === "" || !Number.isFinite(x + y + wide + high + percent)) continue;
    const key = [page, block, paragraph, lineNumber].join();
    const line = lines.get(key) ?? lines.size;
    lines.set(key, line);
    words.push({
      text,
      box: [x, y, x + wide, y + high],
      confidence: Math.min(Math.max(percent / 100, 0), 1),
      line,
    });
  }
  return words;
}
