/** Returns the boxes without duplicates. For example, all words of a bar code have the same box. */
export const distinctBoxes = <T extends readonly number[]>(boxes: readonly T[]): T[] => [
  ...new Map(boxes.map((box) => [box.join(" "), box])).values(),
];
