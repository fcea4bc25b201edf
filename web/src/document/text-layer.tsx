/**
 * Renders the words of a page as text over its image, so that they can be selected, copied and read
 * by screen readers.
 */
import { type CSSProperties, memo } from "react";
import { type Box, linesOf, percentages } from "./geometry.ts";
import type { PageWords } from "./page-source.ts";

/** Font size of a word as a fraction of its line's height, for Arial and its substitutes. */
const fontShare = 0.8;
const fontFamily = "Arial, Helvetica, sans-serif";

interface TextLayerProps {
  words: PageWords;
  /**
   * True if no page image is shown. In that case, the user reads this text itself, so its letters
   * are stretched only slightly.
   */
  isOnlyText: boolean;
}

/** Draws all words at their positions, in the colour of the surrounding element. */
export const TextLayer = memo(function TextLayer({ words, isOnlyText }: TextLayerProps) {
  return (
    <div className="absolute inset-0 leading-[1.25]" style={{ fontFamily }}>
      {linesOf(words.lines, words.words.length).map(([start, end]) => (
        <div key={start}>
          {words.words.slice(start, end).map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of a page never change
            <span key={index} className="absolute whitespace-pre" style={wordStyle(words, start + index, isOnlyText)}>
              {start + index + 1 < end ? `${word} ` : word}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
});

/**
 * Returns the position and size of a word. Sizes are relative to the width of the page, so that
 * words need not be rendered again after zooming.
 */
function wordStyle(page: PageWords, index: number, isOnlyText: boolean): CSSProperties {
  const word = page.words[index] ?? "";
  const box = page.boxes[index] ?? ([0, 0, 0, 0] satisfies Box);
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  const { left, top } = percentages(box, page);
  // If a word has three or more letters and its box is much taller than wide, it was printed
  // vertically.
  const isUpright = [...word].length < 3 || height < 2 * width;
  const [along, across] = isUpright ? [width, height] : [height, width];
  const fontSize = across * fontShare;
  const scale = along / Math.max(widthInEm(word) * fontSize, 1e-6);
  const shown = isOnlyText ? Math.min(Math.max(scale, 0.6), 1.15) : scale;
  return {
    left,
    top,
    fontSize: `${((100 * fontSize) / page.width).toFixed(4)}cqw`,
    transformOrigin: "0 0",
    transform: isUpright
      ? `scaleX(${shown.toFixed(4)})`
      : `rotate(90deg) translateY(-100%) scaleX(${shown.toFixed(4)})`,
  };
}

let context: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** Width of a word in units of its font size. */
function widthInEm(word: string): number {
  const known = widths.get(word);
  if (known !== undefined) return known;
  if (context === undefined) {
    context = document.createElement("canvas").getContext("2d");
    if (context !== null) context.font = `100px ${fontFamily}`;
  }
  const width = (context?.measureText(word).width ?? 50 * word.length) / 100;
  // Empties the whole cache when it is full. That is enough, because most words of a long document
  // occur only once.
  if (widths.size > 20_000) widths.clear();
  widths.set(word, width);
  return width;
}
