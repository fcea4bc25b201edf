/**
 * Writes Documents as text that is easy to compare: each word, line, block and cell on its own
 * line.
 */
import type { Document } from "../document.ts";

export const goldenText = (document: Document): string =>
  `${JSON.stringify(document, null, 1)
    .replaceAll(/\[\s+([-\d.,\s]*?)\s+\]/gu, (_, numbers: string) => `[${numbers.replaceAll(/\s+/gu, " ")}]`)
    .replaceAll(
      /\{\n\s*([^{}]*?)\s*\n\s*\}/gu,
      (_, members: string) => `{ ${members.replaceAll(/\n\s*/gu, " ")} }`,
    )}\n`;

export const goldenFolder = `${import.meta.dirname}/fixtures`;
