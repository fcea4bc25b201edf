/**
 * Keeps rendered page images in memory, up to a maximum number of bytes. The least recently used
 * images are removed first.
 */
import { IdleTimer } from "../../lib/idle-timer.ts";

export class ImageCache {
  /** Images by ETag, the least recently used first. */
  readonly #images = new Map<string, Uint8Array>();
  readonly #maxBytes: number;
  readonly #idleTimer: IdleTimer;
  #bytes = 0;

  /** @param idleMs time without use after which all images are dropped, in milliseconds */
  constructor(maxBytes: number, idleMs: number) {
    this.#maxBytes = maxBytes;
    this.#idleTimer = new IdleTimer(idleMs, () => this.#clear());
  }

  get(key: string): Uint8Array | undefined {
    const image = this.#images.get(key);
    if (image === undefined) return undefined;
    this.#images.delete(key);
    this.#images.set(key, image);
    this.#idleTimer.restart();
    return image;
  }

  set(key: string, image: Uint8Array): void {
    this.#delete(key);
    this.#images.set(key, image);
    this.#bytes += image.length;
    for (const oldest of this.#images.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
    this.#idleTimer.restart();
  }

  #delete(key: string): void {
    this.#bytes -= this.#images.get(key)?.length ?? 0;
    this.#images.delete(key);
  }

  #clear(): void {
    this.#images.clear();
    this.#bytes = 0;
  }
}
