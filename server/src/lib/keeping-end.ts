/**
 * Yields what `source` yields and passes its return value to `keep`; `for await` discards that
 * value.
 */
export async function* keepingEnd<T, End>(source: AsyncGenerator<T, End>, keep: (end: End) => void): AsyncGenerator<T> {
  keep(yield* source);
}
