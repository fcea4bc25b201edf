/**
 * Yields the items of `source` and passes its return value, which `for await` would discard, to
 * `keep`.
 */
export async function* keepingEnd<T, End>(source: AsyncGenerator<T, End>, keep: (end: End) => void): AsyncGenerator<T> {
  keep(yield* source);
}
