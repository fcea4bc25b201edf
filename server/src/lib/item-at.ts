/**
 * Returns the item at an index that is known to be valid.
 * @throws RangeError if there is no such item
 */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`Index ${index} is out of range: there are ${items.length} items.`);
  return item;
}
