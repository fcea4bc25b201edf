/** Returns the boxes without repetitions. The words of a bar code, for example, all have its box. */
export const distinctBoxes = <T extends readonly number[]>(boxes: readonly T[]): T[] => [
  ...new Map(boxes.map((box) => [box.join(" "), box])).values(),
];
