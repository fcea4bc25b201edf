/**
 * Text that stands upside down in the space of the file: pages that are turned by half, watermarks. PDFium orders it as if it ran to the right, so its
 * order and its spaces are of no use here, and lines are made anew.
 */
import type { Character } from "./characters.ts";
import { across, gapBetween } from "./word-breaks.ts";

/** A gap wider than this part of the font size is a space. */
const gapOfSize = 0.15;
const sameLineOfSize = 0.4;

/** Lines from the top as the text is read, each from its beginning; `undefined` stands for a space. */
export function linesOfTurned(characters: readonly Character[]): (Character | undefined)[][] {
  const lines: Character[][] = [];
  for (const character of [...characters].sort((a, b) => across(a) - across(b))) {
    const line = lines.at(-1);
    const first = line?.[0];
    if (line && first && across(character) - across(first) < sameLineOfSize * character.style.size)
      line.push(character);
    else lines.push([character]);
  }
  return lines.map((line) => withSpaces(line.sort((a, b) => along(a) - along(b))));
}

const along = ({ origin, style }: Character): number => origin[0] * style.direction[0] + origin[1] * style.direction[1];

function withSpaces(line: readonly Character[]): (Character | undefined)[] {
  return line.flatMap((character, index) => {
    const last = line[index - 1];
    const isApart = last !== undefined && gapBetween(last, character) > gapOfSize * character.style.size;
    return isApart ? [undefined, character] : [character];
  });
}
