/** As `source`, whose end `keep` is told: a loop over a generator has no other way to learn what it returns. */
export async function* keepingEnd<T, End>(source: AsyncGenerator<T, End>, keep: (end: End) => void): AsyncGenerator<T> {
  keep(yield* source);
}
