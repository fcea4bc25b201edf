/**
 * Returns a function that computes the result for each text once. At `max` texts it forgets all of
 * them, which costs less than keeping their order.
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

/** Marks a result that is undefined. */
const nothing = Symbol();
