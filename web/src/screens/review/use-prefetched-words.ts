/**
 * Loads in advance the words of all pages that have values, so that they are shown without delay.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PageSource } from "../../document/page-source.ts";
import { type RowNode, valuesOf } from "./review-model.ts";

const maxPages = 12;

export function usePrefetchedWords(source: PageSource, records: readonly RowNode[]): void {
  const queries = useQueryClient();
  const [pages] = useState(() => {
    const all = valuesOf(records).flatMap(({ marks }) => (marks ? [marks.page] : []));
    return [...new Set(all)].slice(0, maxPages);
  });
  useEffect(() => {
    for (const page of pages) void queries.prefetchQuery(source.wordsOf(page));
  }, [queries, source, pages]);
}
