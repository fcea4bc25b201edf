/**
 * Converts the instructions of an agent, which the API calls `consignes`, to lines of text and
 * back.
 */
import type { DocumentalistConfiguration } from "@sheaf/client";

type Consignes = DocumentalistConfiguration["consignes"];

const contentOf = (consigne: Consignes[number]): string => (typeof consigne === "string" ? consigne : consigne.content);

/** One instruction per line. */
export const instructionText = (consignes: Consignes): string =>
  consignes.map((consigne) => contentOf(consigne).replace(/\s*\n\s*/g, " ")).join("\n");

/**
 * Returns the instructions for edited text. An instruction whose line was not edited keeps its
 * other members, such as `weight`.
 */
export function changedConsignes(before: Consignes, text: string): Consignes {
  const known = new Map(before.map((consigne) => [instructionText([consigne]).trim(), consigne]));
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => known.get(line) ?? line);
}
