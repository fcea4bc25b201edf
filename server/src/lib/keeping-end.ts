/**
 * Yields the items of `source`, then passes its return value to `keep`. A `for await` loop would
 * discard the return value.
 */
export async function* keepingEnd<T, End>(source: AsyncGenerator<T, End>, keep: (end: End) => void): AsyncGenerator<T> {
  keep(yield* source);
}
