/**
 * Returns a function that computes the result of each text only once. When the cache contains `max`
 * texts, it is emptied. This is cheaper than tracking when each text was last used.
 */
export function cachedByText<Result>(max: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result | typeof nothing>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before === nothing ? (undefined as Result) : (before as Result);
    const result = compute(text);
    if (known.size >= max) known.clear();
    known.set(text, result === undefined ? nothing : result);
    return result;
  };
}

/** Stored in the cache in place of a result that is undefined. */
const nothing = Symbol();
