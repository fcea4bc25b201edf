/**
 * Returns a function that computes the result for each text once. At `max` texts it forgets all of
 * them, which costs less than keeping their order.
 */
export function cachedByText<Result>(max: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as Result;
    const result = compute(text);
    if (known.size >= max) known.clear();
    known.set(text, result);
    return result;
  };
}
