/** Pages of a file: words and images, as the web application shows them. */
import type { Static } from "typebox";
import { Box } from "./formats.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

/** Widths in which page images are rendered, in pixels. The first is the default. */
export const pageImageWidths = [900, 1800] as const;
export type PageImageWidth = (typeof pageImageWidths)[number];

export const pageImageQuery = Type.Object({
  width: Type.Optional(
    Type.Union([Type.Literal(900), Type.Literal(1800)], {
      description:
        "Width of the image in pixels; default: 900. The image is narrower if the page is very long, or if the file is an image with fewer pixels.",
    }),
  ),
});

const caching = {
  ETag: {
    description: "Identifies the image. Send it as `If-None-Match` to get the image only if it has changed.",
    example: '"tW0V8VqXq5GkE0xgqWq4sxN2n1M"',
  },
  "Cache-Control": {
    description: "The image may be cached, but only for this caller.",
    example: "private, max-age=3600",
  },
};

/** Success responses of an endpoint that returns a page image. */
export const pageImageResponses = {
  200: { description: "The image.", contentType: "image/webp", bytes: true, headers: caching },
  304: {
    description: "The image has not changed: it still has the ETag sent in `If-None-Match`.",
    empty: true,
    headers: caching,
  },
} as const;

/**
 * Error codes of an endpoint that returns a page image. The endpoint adds the codes that concern
 * its file, such as a file that does not exist.
 */
export const pageImageErrors = [
  "page_not_found",
  "page_image_unavailable",
  "invalid_request",
  "extraction_failed",
  "agent_timeout",
] as const;

/** Range of words of a page: `start` is inclusive, `end` exclusive. */
const WordRange = Type.Unsafe<readonly [start: number, end: number]>(
  Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }),
);

export const PageWords = component(
  "PageWords",
  Type.Object(
    {
      page: Type.Integer({ minimum: 1, description: "Number of the page, starting at 1.", examples: [1] }),
      pages: Type.Integer({ minimum: 1, description: "Number of pages of the file.", examples: [12] }),
      width: Type.Number({
        description: "Width of the upright page in page units: points for PDF, pixels for images.",
        examples: [595.28],
      }),
      height: Type.Number({ description: "Height of the upright page in page units.", examples: [841.89] }),
      source: choice(["text", "ocr"], {
        description: "`text` if the words are text in the file, `ocr` if they were read by OCR.",
      }),
      has_image: Type.Boolean({
        description:
          "False for formats that have no images of pages (docx, xlsx). The boxes are then computed by a simple layout.",
      }),
      words: Type.Array(Type.String(), {
        description: "The words in reading order.",
        examples: [["Notice", "period:", "three", "months"]],
      }),
      boxes: Type.Array(Box, {
        description: "The box of each word, in the order of `words`. Every box lies within the page.",
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
        description: "`[start, end]` of each line: indexes of `words`, where `end` is exclusive.",
        examples: [
          [
            [0, 2],
            [2, 4],
          ],
        ],
      }),
    },
    { description: "The words of a page with their positions." },
  ),
);
export type PageWordsJson = Static<typeof PageWords>;
