/**
 * Returns a function that computes the result for each text only once. When `max` texts are cached,
 * it drops all of them, which costs less than keeping track of their order.
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

/** Marks a cached result that is undefined. */
const nothing = Symbol();
