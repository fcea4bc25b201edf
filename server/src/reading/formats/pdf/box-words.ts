/** Writes the boxes of a form as words in the lines of the text beside them. */
import type { Box } from "../../document.ts";
import type { DrawnWord } from "../../layout/page-content.ts";
import type { FormBox } from "./drawn-boxes.ts";

const [checkedWord, emptyWord] = ["☒", "☐"];
/** Height of the rows in which the nearest words are searched, in points. */
const rowStep = 24;
/** Maximum words of a row that are compared. Chosen by hand, 2026-11. */
const maxCompared = 300;

/**
 * Returns the words together with those of the boxes. The word of a box has the size and baseline
 * of the nearest word in its line.
 */
export function withBoxWords(words: readonly DrawnWord[], boxes: readonly FormBox[]): DrawnWord[] {
  const rows = new Map<number, DrawnWord[]>();
  for (const word of words) {
    if (word.direction[0] < 0.9) continue;
    const row = Math.floor(word.box[1] / rowStep);
    const found = rows.get(row);
    if (found === undefined) rows.set(row, [word]);
    else if (found.length < maxCompared) found.push(word);
  }
  const added = boxes.map(({ box, checked }): DrawnWord => {
    const row = Math.floor(box[1] / rowStep);
    const near = [row - 1, row, row + 1].flatMap((each) => rows.get(each) ?? []);
    const neighbour = nearest(box, near);
    const height = box[3] - box[1];
    return {
      text: checked ? checkedWord : emptyWord,
      box,
      size: neighbour?.size ?? height,
      direction: [1, 0],
      origin: [box[0], neighbour?.origin[1] ?? box[3] - height * ofBaseline],
    };
  });
  return [...words, ...added];
}

/** Height of the baseline above the bottom of the box, in heights of the box. */
const ofBaseline = 0.15;
/** Factor on the distance of a word that precedes the box, because most texts follow their box. */
const before = 2;

/** Returns the nearest word in the line of the box. */
function nearest(box: Box, words: readonly DrawnWord[]): DrawnWord | undefined {
  const middle = (box[1] + box[3]) / 2;
  let best: DrawnWord | undefined;
  let least = Infinity;
  for (const word of words) {
    if (word.box[1] > middle || word.box[3] < middle) continue;
    const distance = word.box[0] >= box[0] ? word.box[0] - box[2] : before * (box[0] - word.box[2]);
    if (distance < least) [best, least] = [word, distance];
  }
  return best;
}
