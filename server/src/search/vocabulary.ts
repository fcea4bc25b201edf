/**
 * Assigns ids to words in the order in which they are added. It is a hash table over bytes, which
 * is faster than strings. Speed matters, because each question reads about 5,000 words.
 */
import { bytesOf, hashOf, placeOf, space } from "./term-hash.ts";

const firstTableSize = 2 ** 13;
const firstBytes = 2 ** 15;

export class Vocabulary {
  /**
   * Hash table with linear probing. A used slot contains the id of a word plus 1; a free slot
   * contains 0. At most half of the slots are in use.
   */
  #table = new Int32Array(firstTableSize);
  /** All words, with a space before each. */
  #bytes = new Uint8Array(firstBytes);
  /** Offset of each word. The last entry is the offset of the next new word. */
  readonly #starts: number[] = [1];
  readonly #hashes: number[] = [];

  get size(): number {
    return this.#hashes.length;
  }

  /**
   * Returns the id of the word in the bytes from `start` to `end`. `hash` is the hash of the word.
   * If the word is new, adds it.
   */
  idOf(source: Uint8Array, start: number, end: number, hash: number): number {
    const place = this.#find(source, start, end, hash);
    const known = (this.#table[place] ?? 0) - 1;
    return known >= 0 ? known : this.#add(source, start, end, hash, place);
  }

  find(word: string): number | undefined {
    const bytes = bytesOf(word);
    const place = this.#find(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
    const known = (this.#table[place] ?? 0) - 1;
    return known >= 0 ? known : undefined;
  }

  hashAt(id: number): number {
    return this.#hashes[id] ?? 0;
  }

  /** Returns all words in the order of their ids, with a space before each. */
  joined(): string {
    if (this.size === 0) return "";
    return Buffer.from(this.#bytes.buffer, 0, (this.#starts[this.size] ?? 0) - 1).toString();
  }

  /** Returns the slot of the word. For a new word, returns the free slot for it. */
  #find(source: Uint8Array, start: number, end: number, hash: number): number {
    const table = this.#table;
    let place = placeOf(hash, table.length);
    for (let id = table[place] ?? 0; id > 0; id = table[place] ?? 0) {
      if (this.#hashes[id - 1] === hash && this.#isAt(id - 1, source, start, end)) break;
      place = (place + 1) & (table.length - 1);
    }
    return place;
  }

  #isAt(id: number, source: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[id] ?? 0;
    if ((this.#starts[id + 1] ?? 0) - 1 - from !== end - start) return false;
    for (let at = start; at < end; at++) if (source[at] !== this.#bytes[from + at - start]) return false;
    return true;
  }

  #add(source: Uint8Array, start: number, end: number, hash: number, place: number): number {
    const id = this.size;
    const from = this.#starts[id] ?? 0;
    const next = from + end - start + 1;
    if (next > this.#bytes.length) this.#bytes = grown(this.#bytes, next);
    this.#bytes[from - 1] = space;
    for (let at = start; at < end; at++) this.#bytes[from + at - start] = source[at] ?? 0;
    this.#starts.push(next);
    this.#hashes.push(hash);
    this.#table[place] = id + 1;
    if (this.size * 2 > this.#table.length) this.#enlarge();
    return id;
  }

  #enlarge(): void {
    const table = new Int32Array(this.#table.length * 2);
    this.#hashes.forEach((hash, id) => {
      let place = placeOf(hash, table.length);
      while ((table[place] ?? 0) > 0) place = (place + 1) & (table.length - 1);
      table[place] = id + 1;
    });
    this.#table = table;
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(least, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}
