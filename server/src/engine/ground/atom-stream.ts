/**
 * Searches a sequence of atoms for a shorter sequence. Atoms are the normalized words, numbers and
 * signs that `atoms.ts` produces. For searching, each sequence is joined into one string.
 */
import { isNumber } from "./atoms.ts";

/** Separator between two adjacent numbers, so that `5 12` never equals `512`. */
const junction = "·";
/**
 * Minimum number of digits of an account or telephone number. Spaces may group its digits. Chosen
 * by hand, 2026-11.
 */
const minIdentifier = 7;
/** Letters that OCR confuses with digits. */
const confusable: Readonly<Record<string, string>> = { o: "0", l: "1", i: "1", "|": "1" };

export interface AtomHit {
  /** Range of atoms. `to` is the index after the last one. */
  from: number;
  to: number;
}

export interface ConfusedHit extends AtomHit {
  /** Number of characters that differ. */
  distance: number;
}

interface Joined {
  text: string;
  /** Offset of each atom. The last entry is the end of the last atom. */
  starts: Int32Array;
}

export class Stream {
  readonly atoms: readonly string[];
  #strict: Joined | undefined;
  #loose: Joined | undefined;
  #confused: string | undefined;

  constructor(atoms: readonly string[]) {
    this.atoms = atoms;
  }

  get strict(): Joined {
    this.#strict ??= join(this.atoms, junction);
    return this.#strict;
  }

  get loose(): Joined {
    this.#loose ??= join(this.atoms, "");
    return this.#loose;
  }

  get confused(): string {
    this.#confused ??= this.loose.text.replace(/[oli|]/g, (letter) => confusable[letter] ?? letter);
    return this.#confused;
  }

  /** Returns up to `most` occurrences of `wanted`. White space and punctuation are ignored. */
  find(wanted: Stream, most: number): AtomHit[] {
    const { text } = wanted.strict;
    return [...hitsOf(this.strict, text, this.strict.text)].filter((hit) => this.#isWhole(hit, wanted)).slice(0, most);
  }

  /**
   * Finds `wanted` as `find` does, but also ignores spaces between thousands and inside long
   * numbers.
   */
  findLoosely(wanted: Stream, most: number): AtomHit[] {
    return [...hitsOf(this.loose, wanted.loose.text, this.loose.text)]
      .filter((hit) => this.#isWhole(hit, wanted) && sameJunctions(this, hit, wanted))
      .slice(0, most);
  }

  /** Finds `wanted` where OCR confused letters with digits, such as l with 1 or O with 0. */
  findConfused(wanted: Stream, most: number): ConfusedHit[] {
    const found: ConfusedHit[] = [];
    for (const hit of hitsOf(this.loose, wanted.confused, this.confused)) {
      if (found.length >= most) break;
      const own = this.loose.text.slice(this.loose.starts[hit.from], this.loose.starts[hit.to]);
      const distance = differences(own, wanted.loose.text);
      if (distance > 0 && distance <= Math.max(1, Math.floor(own.length / 10))) found.push({ ...hit, distance });
    }
    return found;
  }

  /** Returns false if a minus sign outside the match stands next to a number of the match. */
  #isWhole({ from, to }: AtomHit, wanted: Stream): boolean {
    const signBefore = this.atoms[from - 1] === "-" && isNumber(this.atoms[from]);
    const signBehind = this.atoms[to] === "-" && isNumber(this.atoms[to - 1]) && !isNumber(this.atoms[to + 1]);
    return !(signBefore || signBehind) && wanted.atoms.length > 0;
  }
}

function join(atoms: readonly string[], between: string): Joined {
  const parts: string[] = [];
  const starts = new Int32Array(atoms.length + 1);
  let at = 0;
  let before = "";
  for (const [index, atom] of atoms.entries()) {
    if (between && isNumber(atom) && isNumber(before)) {
      parts.push(between);
      at += between.length;
    }
    starts[index] = at;
    parts.push(atom);
    at += atom.length;
    before = atom;
  }
  starts[atoms.length] = at;
  return { text: parts.join(""), starts };
}

/** Yields the occurrences that start and end at boundaries of atoms. */
function* hitsOf({ starts }: Joined, wanted: string, text: string): Generator<AtomHit> {
  if (wanted === "") return;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const from = lastUpTo(starts, at);
    if (starts[from] !== at) continue;
    const to = lastUpTo(starts, at + wanted.length - 1) + 1;
    const next = starts[to] ?? 0;
    // A separator may stand between the match and the next atom.
    const end = at + wanted.length;
    if (end === next || (end === next - 1 && text[end] === junction)) yield { from, to };
  }
}

function lastUpTo(starts: Int32Array, at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Returns true if the hit has the same digit groups as the wanted text. Spaces between thousands
 * and inside long numbers may differ.
 */
function sameJunctions(stream: Stream, hit: AtomHit, wanted: Stream): boolean {
  const own = junctionsOf(stream.atoms.slice(hit.from, hit.to));
  const asked = junctionsOf(wanted.atoms);
  const text = wanted.loose.text;
  for (const at of new Set([...own.parted, ...asked.parted])) {
    if (own.parted.has(at) && asked.parted.has(at)) continue;
    const whole = own.parted.has(at) ? asked : own;
    const length = whole.runs.find(([from, to]) => from < at && at < to);
    const identifier = length !== undefined && length[1] - length[0] >= minIdentifier;
    const thousands =
      /(?:^|\D)\d{1,3}(?:\d{3})*$/.test(text.slice(0, at)) && /^(?:\d{3})+(?:\D|$)/.test(text.slice(at));
    if (!identifier && !thousands) return false;
  }
  return true;
}

/**
 * Returns the offsets at which two numbers touch, and the spans of all numbers. Offsets are counted
 * in the text without separators.
 */
function junctionsOf(atoms: readonly string[]): { parted: Set<number>; runs: [number, number][] } {
  const parted = new Set<number>();
  const runs: [number, number][] = [];
  let at = 0;
  for (const [index, atom] of atoms.entries()) {
    if (isNumber(atom) && isNumber(atoms[index - 1])) parted.add(at);
    if (isNumber(atom)) runs.push([at, at + atom.length]);
    at += atom.length;
  }
  return { parted, runs };
}

function differences(a: string, b: string): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count;
}
