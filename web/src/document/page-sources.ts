/** Sources of pages: documents in a corpus, kept extractions and kept classifications. */
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../app/api.ts";
import type { PageSource, PageWords } from "./page-source.ts";

/** A stored file whose pages the service returns. */
interface PagedFile {
  id: string;
  pages: number;
  filename: string;
  /** Path of the pages in the API, without the page number. */
  path: string;
  getWords: (page: number, signal: AbortSignal) => Promise<{ data: PageWords }>;
}

function sourceOf({ id, pages, filename, path, getWords }: PagedFile): PageSource {
  return {
    id,
    pages,
    hasImage: !/\.(docx|xlsx)$/i.test(filename),
    wordsOf: (page) =>
      queryOptions({
        queryKey: ["page-words", id, String(page)],
        queryFn: async ({ signal }) => (await getWords(page, signal)).data,
        // Stored pages never change.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 10 * 60_000,
      }),
    imageUrl: (page, width) => `${path}/${page}/image?width=${width}`,
  };
}

interface DocumentPages {
  agentReference: string;
  documentReference: string;
  /** Name of the document. Its extension shows the format. */
  name: string;
  pages: number;
}

/** The pages of a document in a corpus. */
export const documentPages = ({ agentReference, documentReference, name, pages }: DocumentPages): PageSource =>
  sourceOf({
    id: `document ${agentReference} ${documentReference}`,
    pages,
    filename: name,
    path: `/v2/agents/${encodeURIComponent(agentReference)}/documents/${encodeURIComponent(documentReference)}/pages`,
    getWords: (page, signal) => sheaf.getDocumentPageWords(agentReference, documentReference, String(page), { signal }),
  });

interface KeptFilePages {
  id: string;
  filename: string;
  pages: number;
}

/** The pages of the file of a kept extraction. */
export const extractionPages = ({ id, filename, pages }: KeptFilePages): PageSource =>
  sourceOf({
    id: `extraction ${id}`,
    pages,
    filename,
    path: `/v2/extractions/${encodeURIComponent(id)}/pages`,
    getWords: (page, signal) => sheaf.getKeptExtractionPageWords(id, String(page), { signal }),
  });

/** The pages of the file of a kept classification. */
export const classificationPages = ({ id, filename, pages }: KeptFilePages): PageSource =>
  sourceOf({
    id: `classification ${id}`,
    pages,
    filename,
    path: `/v2/classifications/${encodeURIComponent(id)}/pages`,
    getWords: (page, signal) => sheaf.getKeptClassificationPageWords(id, String(page), { signal }),
  });
