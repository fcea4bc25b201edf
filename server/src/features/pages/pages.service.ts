/**
 * Words and images of single pages of stored files, for viewers that cannot display the file format
 * themselves.
 */
import { createHash } from "node:crypto";
import { type PageImageWidth, type PageWordsJson, pageImageWidths } from "@sheaf/contract/pages.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import { FairSlots } from "../../lib/fair-slots.ts";
import type { RouteRequest } from "../../lib/route.ts";
import { version } from "../../lib/version.ts";
import type { Box, Page } from "../../reading/document.ts";
import { type PageRange, type Reader, type RenderableExtension, readableExtensions } from "../../reading/reader.ts";
import { readPagesAt } from "../documents/documents.service.ts";
import { PageImages, renderingError, timeoutMs } from "./page-images.ts";

/** A stored file and the Document read from it. The caller must have checked permissions. */
export interface PageSource {
  /** Key of the stored Document. */
  documentKey: string;
  /** Key of the stored file. */
  fileKey: string;
  /** Extension of the file name, lower case, without the dot. */
  extension: string;
  /** Number of pages of the Document. */
  pages: number;
  /**
   * Identifies the content of the file, for instance an id or a hash. Files with different bytes
   * have different digests.
   */
  digest: string;
}

export interface PageImageRequest {
  /** Page number as in the path of the request. */
  page: string;
  width: PageImageWidth;
  /** Value of the `If-None-Match` header. */
  ifNoneMatch: string | undefined;
}

export interface PageImageReply {
  etag: string;
  /** Undefined if the client already has the image. */
  image: Uint8Array | undefined;
}

export interface PagesDeps {
  files: StoredFiles;
  reader: Reader;
  /** Maximum number of concurrent renderings. */
  renderings: number;
}

export class Pages {
  readonly #files: StoredFiles;
  readonly #reader: Reader;
  readonly #slots: FairSlots;
  readonly #images: PageImages;

  constructor({ files, reader, renderings }: PagesDeps) {
    this.#files = files;
    this.#reader = reader;
    this.#slots = new FairSlots(renderings);
    this.#images = new PageImages(files, reader, this.#slots);
  }

  /**
   * @param number page number as in the path of the request
   * @throws AppError `page_not_found`; `document_not_found` if the file was deleted meanwhile
   */
  async words(source: PageSource, number: string): Promise<PageWordsJson> {
    const page = await this.#page(source, pageNumber(source, number));
    const { width, height, words, lines } = page;
    return {
      page: page.number,
      pages: source.pages,
      width,
      height,
      source: page.source,
      has_image: renderable(source) !== undefined && hasSize(page),
      words: words.map(({ text }) => text),
      boxes: words.map(({ box }) => clipped(page, box)),
      lines: lines.map(({ start, end }) => [start, end] as const),
    };
  }

  /**
   * Returns the image of a page as WebP. Does not render it if the client already has it.
   * @throws AppError with the codes of `words`, or `page_image_unavailable`, `extraction_failed`,
   * `agent_timeout`, `agent_unavailable`; the reason of `signal` if that aborts
   */
  async image(source: PageSource, request: PageImageRequest, signal: AbortSignal): Promise<PageImageReply> {
    const number = pageNumber(source, request.page);
    const extension = renderable(source);
    if (extension === undefined) throw new AppError("page_image_unavailable");
    const etag = etagOf(source, number, request.width);
    if (includesEtag(request.ifNoneMatch, etag)) return { etag, image: undefined };
    const page = await this.#page(source, number);
    if (!hasSize(page)) throw new AppError("page_image_unavailable");
    const width = fittingWidth(page, request.width);
    const image = await this.#images.get(etag, { fileKey: source.fileKey, extension, page: number, width }, signal);
    return { etag, image };
  }

  /**
   * Returns a range of pages of a PDF file as a new PDF file. Copying occupies a rendering slot and
   * has the same time limit as a rendering.
   * @throws AppError `segment_file_unavailable` for other formats; otherwise as `image`
   */
  async copy({ fileKey, extension }: PageSource, range: PageRange, signal: AbortSignal): Promise<Uint8Array> {
    if (extension !== "pdf") throw new AppError("segment_file_unavailable");
    using _slot = await this.#slots.acquire(signal);
    return await withinTime(timeoutMs, signal, async (within) => {
      await using file = await this.#files.local(fileKey).catch(gone);
      try {
        return await this.#reader.copyPages(file.path, range, { signal: within });
      } catch (error) {
        throw renderingError(error);
      }
    });
  }

  async #page({ documentKey }: PageSource, number: number): Promise<Page> {
    const pages = await readPagesAt(this.#files, documentKey, new Set([number])).catch(gone);
    const page = pages.get(number);
    if (page === undefined) throw new Error(`The stored Document ${documentKey} has no page ${number}.`);
    return page;
  }
}

/**
 * Returns the parameters of an HTTP request for a page image.
 * @throws AppError `invalid_request`
 */
export function imageRequest(
  page: string,
  { width: text }: RouteRequest["query"],
  header: RouteRequest["header"],
): PageImageRequest {
  const width = text === undefined ? pageImageWidths[0] : pageImageWidths.find((each) => String(each) === text);
  if (width === undefined) {
    const message = `must be one of ${pageImageWidths.join(", ")}`;
    throw new AppError("invalid_request", { issues: [{ path: "/width", message }] });
  }
  return { page, width, ifNoneMatch: header("if-none-match") };
}

/**
 * How long a browser may show an image without asking the server, in seconds. The file that a
 * reference identifies never changes, so cached images are never outdated. The limit matters only
 * for images that were deleted, or that the user may no longer see.
 */
const maxAgeSeconds = 3_600;

export function imageReply({ etag, image }: PageImageReply) {
  const headers = {
    etag,
    "cache-control": `private, max-age=${maxAgeSeconds}`,
    // A different user of the same browser must not get the image from its cache.
    vary: "cookie, x-api-key, authorization",
  };
  return image === undefined ? { status: 304, body: undefined, headers } : { status: 200, body: image, headers };
}

/** @throws AppError `page_not_found` */
function pageNumber({ pages }: PageSource, text: string): number {
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > pages) throw new AppError("page_not_found");
  return number;
}

/** Clips a box to the page, because text may be drawn partly outside of it. */
function clipped({ width, height }: Page, [x0, y0, x1, y1]: Box): Box {
  const clip = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return [clip(x0, width), clip(y0, height), clip(x1, width), clip(y1, height)];
}

/**
 * Returns the extension if pages of files with this extension can be rendered as images; undefined
 * otherwise.
 */
function renderable({ extension }: PageSource): RenderableExtension | undefined {
  const found = readableExtensions.find((each) => each === extension);
  return found === "docx" || found === "xlsx" ? undefined : found;
}

/** Returns false for damaged pages, which have no size and cannot be rendered. */
const hasSize = ({ width, height }: Page): boolean => width > 0 && height > 0;

/** Maximum number of pixels of an image, a little below the limit of the renderer. */
const maxImagePixels = 15_000_000;
/** Maximum height of an image in pixels, a little below the limit of WebP. */
const maxImageHeight = 16_000;

/** Returns the wanted width, reduced if the page is so tall that its image would be too large. */
function fittingWidth({ width, height }: Page, wanted: number): number {
  const ratio = width / height;
  const fitting = Math.min(wanted, Math.sqrt(maxImagePixels * ratio), maxImageHeight * ratio);
  return Math.max(1, Math.floor(fitting));
}

/**
 * Returns the ETag of an image. It includes the version of the service, because another version may
 * render differently.
 */
function etagOf({ digest }: PageSource, page: number, width: number): string {
  const hash = createHash("sha256").update(JSON.stringify([version, digest, page, width]));
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

const includesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, ""))) ?? false;

/**
 * Converts the error of a missing file (`ENOENT`) to `document_not_found`: the file has been
 * deleted since its database row was read. Rethrows any other error.
 */
function gone(error: NodeJS.ErrnoException): never {
  throw error.code === "ENOENT" ? new AppError("document_not_found") : error;
}
