/** Instructions of an agent as lines of text. */
import type { DocumentalistConfiguration } from "@sheaf/client";

type Consignes = DocumentalistConfiguration["consignes"];

const contentOf = (consigne: Consignes[number]): string => (typeof consigne === "string" ? consigne : consigne.content);

/** One instruction per line. */
export const instructionText = (consignes: Consignes): string =>
  consignes.map((consigne) => contentOf(consigne).replace(/\s*\n\s*/g, " ")).join("\n");

/**
 * Returns the instructions of edited text. Instructions that were not edited keep all their
 * members.
 */
export function changedConsignes(before: Consignes, text: string): Consignes {
  const known = new Map(before.map((consigne) => [instructionText([consigne]).trim(), consigne]));
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => known.get(line) ?? line);
}
