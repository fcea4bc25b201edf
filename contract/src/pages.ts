/** Pages of a file that was read, as the web application shows them. */
import type { Static } from "typebox";
import { Box } from "./formats.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

/** `[start, end)`, indexes of the words of a page. */
const WordRange = Type.Unsafe<readonly [start: number, end: number]>(
  Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
);

export const PageWords = component(
  "PageWords",
  Type.Object(
    {
      page: Type.Integer({ minimum: 1, description: "Number of the page, from 1.", examples: [1] }),
      pages: Type.Integer({ minimum: 1, description: "Number of pages of the file.", examples: [12] }),
      width: Type.Number({
        description: "Width of the upright page in page units: points for PDF, pixels for images.",
        examples: [595.28],
      }),
      height: Type.Number({ description: "Height of the upright page in page units.", examples: [841.89] }),
      source: choice(["text", "ocr"], { description: "Whether the words are text of the file or were read by OCR." }),
      has_image: Type.Boolean({
        description: "False for formats without print image (docx, xlsx): the boxes then are a layout of our own.",
      }),
      words: Type.Array(Type.String(), {
        description: "The words in reading order.",
        examples: [["Notice", "period:", "three", "months"]],
      }),
      boxes: Type.Array(Box, {
        description: "The box of each word, by the index of the word. Every box lies within the page.",
        examples: [
          [
            [72, 96.5, 105.4, 108],
            [108.7, 96.5, 143, 108],
            [72, 112.5, 98.1, 124],
            [101.4, 112.5, 141.2, 124],
          ],
        ],
      }),
      lines: Type.Array(WordRange, {
        description: "`[start, end]` of each line, indexes of `words`; `end` is exclusive.",
        examples: [
          [
            [0, 2],
            [2, 4],
          ],
        ],
      }),
    },
    { description: "The words of a page and where they are." },
  ),
);
export type PageWordsJson = Static<typeof PageWords>;
