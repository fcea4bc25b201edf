/** Text → terms, the same for passages and queries. */
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** The terms of a text in their order, without white space inside. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.normalize("NFKC").toLowerCase())) {
    if (isWordLike) terms.push(segment.normalize("NFD").replace(/\p{Mn}/gu, ""));
  }
  return terms;
}
