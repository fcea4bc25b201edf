/**
 * Renders images of pages. Each image is rendered once for all callers that wait for it. Only a few
 * images are rendered at the same time, so that viewers do not occupy all reading processes.
 */
import type { StoredFiles } from "../../files/stored-files.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { FairSlots } from "../../lib/fair-slots.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import { type Reader, ReadingError, ReadingInterrupted, type RenderableExtension } from "../../reading/reader.ts";
import { ImageCache } from "./image-cache.ts";
import { SharedWork } from "./shared-work.ts";

export interface RenderRequest {
  fileKey: string;
  extension: RenderableExtension;
  page: number;
  /** Width of the image, in pixels. */
  width: number;
}

/**
 * Maximum number of bytes of images in memory: about 400 pages of text, 900 pixels wide. Chosen by
 * hand, 2026-11.
 */
const maxCachedBytes = 64 * 2 ** 20;
const cacheIdleMs = 10 * 60_000;

/**
 * Maximum time for one image, in milliseconds. It includes the wait for a reading process, but not
 * the wait for other images to be rendered.
 */
export const timeoutMs = 30_000;

/**
 * Time for which a rendering continues after its last caller has left, in milliseconds. Stopping a
 * rendering kills its process, and starting another process takes longer than rendering most pages.
 * A viewer abandons many images while its user scrolls.
 */
const graceMs = 1_000;

/**
 * Time for which a page is not rendered again after a failure, in milliseconds. Each attempt at a
 * hostile page may occupy a process for 20 s.
 */
const failureMs = 60_000;
const maxFailures = 1_000;

export class PageImages {
  readonly #files: StoredFiles;
  readonly #reader: Reader;
  readonly #slots: FairSlots;
  readonly #cache = new ImageCache(maxCachedBytes, cacheIdleMs);
  readonly #failures = new RecentMap<string, { error: AppError; at: number }>(maxFailures);
  readonly #underWay = new Map<string, SharedWork<Uint8Array>>();

  /** @param slots limits concurrent renderings */
  constructor(files: StoredFiles, reader: Reader, slots: FairSlots) {
    this.#files = files;
    this.#reader = reader;
    this.#slots = slots;
  }

  /**
   * @param key identifies the image: different images have different keys
   * @throws AppError `extraction_failed`, `agent_timeout`, `agent_unavailable`,
   * `document_not_found`; the abort reason of `signal` if it is aborted
   */
  async get(key: string, request: RenderRequest, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const failure = this.#failures.get(key);
    if (failure !== undefined && performance.now() - failure.at < failureMs) throw failure.error;
    let work = this.#underWay.get(key);
    if (work === undefined || work.isCancelled) {
      work = this.#start(key, request);
    }
    return work.join(signal);
  }

  #start(key: string, request: RenderRequest): SharedWork<Uint8Array> {
    const work = new SharedWork((signal, started) => this.#make(key, request, signal, started), graceMs);
    this.#underWay.set(key, work);
    void work.ended.then(() => {
      if (this.#underWay.get(key) === work) this.#underWay.delete(key);
    });
    return work;
  }

  async #make(key: string, request: RenderRequest, signal: AbortSignal, started: () => void): Promise<Uint8Array> {
    try {
      using _slot = await this.#slots.acquire(signal);
      const image = await withinTime(timeoutMs, signal, (within) => this.#render(request, within, started));
      this.#cache.set(key, image);
      return image;
    } catch (error) {
      if (error instanceof AppError && error.code === "extraction_failed")
        this.#failures.set(key, { error, at: performance.now() });
      throw error;
    }
  }

  async #render(
    { fileKey, extension, page, width }: RenderRequest,
    signal: AbortSignal,
    started: () => void,
  ): Promise<Uint8Array> {
    await using file = await this.#files.local(fileKey);
    started();
    try {
      return (await this.#reader.renderPage(file.path, extension, { page, width, format: "webp" }, { signal })).bytes;
    } catch (error) {
      throw renderingError(error);
    }
  }
}

/** Maps an error of a reading process to the error that the caller gets. */
export function renderingError(error: unknown): unknown {
  if (error instanceof ReadingInterrupted) return new AppError("agent_unavailable", undefined, { cause: error });
  // The file has been deleted since its row was read.
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return new AppError("document_not_found");
  if (!(error instanceof ReadingError)) return error;
  const message = `The page could not be rendered: ${error.message}`;
  return new AppError("extraction_failed", { reason: error.reason }, { cause: error, message });
}
