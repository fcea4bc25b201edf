/** Adds the check boxes of a form as words to the lines of text beside them. */
import type { Box } from "../../document.ts";
import type { DrawnWord } from "../../layout/page-content.ts";
import type { FormBox } from "./drawn-boxes.ts";

const [checkedWord, emptyWord] = ["☒", "☐"];
/**
 * Height, in points, of the rows into which words are grouped, so that the word nearest to a box is
 * found fast.
 */
const rowStep = 24;
/** Maximum number of words of a row that are compared. Chosen by hand, 2026-11. */
const maxCompared = 300;

/**
 * Returns the words, followed by the boxes as words. Each box gets the size and baseline of the
 * nearest word in its line.
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

/** Distance of the baseline from the bottom of the box, as a share of the height of the box. */
const ofBaseline = 0.15;
/**
 * Factor by which the distance to a word before the box is multiplied. Such a word counts as
 * further away, because most labels follow their box.
 */
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
