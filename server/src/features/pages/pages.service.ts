/** Words of single pages of stored files, for viewers without an engine for the file format. */
import type { PageWordsJson } from "@sheaf/contract/pages.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { AppError } from "../../lib/errors.ts";
import type { Box, Page } from "../../reading/document.ts";
import { readPagesAt } from "../documents/documents.service.ts";

/** A stored file and the Document read from it. Whoever passes it has checked permissions. */
export interface PageSource {
  /** Key of the stored Document. */
  documentKey: string;
  /** Key of the stored file. */
  fileKey: string;
  /** Extension of the file name, lower case, without the dot. */
  extension: string;
  /** Number of pages of the Document. */
  pages: number;
  /** Differs whenever the bytes of the file differ. */
  digest: string;
}

export interface PagesDeps {
  files: StoredFiles;
}

export class Pages {
  readonly #deps: PagesDeps;

  constructor(deps: PagesDeps) {
    this.#deps = deps;
  }

  /**
   * @param number page number from the path of a request
   * @throws AppError `page_not_found`; `document_not_found` if the file was deleted meanwhile
   */
  async words(source: PageSource, number: string): Promise<PageWordsJson> {
    const page = await this.#page(source, number);
    const { width, height, words, lines } = page;
    return {
      page: page.number,
      pages: source.pages,
      width,
      height,
      source: page.source,
      has_image: hasImage(source, page),
      words: words.map(({ text }) => text),
      boxes: words.map(({ box }) => within(page, box)),
      lines: lines.map(({ start, end }) => [start, end] as const),
    };
  }

  async #page(source: PageSource, text: string): Promise<Page> {
    const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > source.pages) throw new AppError("page_not_found");
    const pages = await readPagesAt(this.#deps.files, source.documentKey, new Set([number])).catch(gone);
    const page = pages.get(number);
    if (page === undefined) throw new Error(`The stored Document ${source.documentKey} has no page ${number}.`);
    return page;
  }
}

/** Clips a box to the page: text may be drawn partly outside. */
function within({ width, height }: Page, [x0, y0, x1, y1]: Box): Box {
  const clip = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return [clip(x0, width), clip(y0, height), clip(x1, width), clip(y1, height)];
}

/** Broken pages have no size, and nothing to render. */
const hasImage = ({ extension }: PageSource, { width, height }: Page): boolean =>
  extension !== "docx" && extension !== "xlsx" && width > 0 && height > 0;

/** Maps a file that was deleted since its row was read. */
function gone(error: NodeJS.ErrnoException): never {
  throw error.code === "ENOENT" ? new AppError("document_not_found") : error;
}
