/**
 * Prepares the input of the recognition model (the image of one line) and decodes its output (the
 * characters in that line).
 */
import type { Box } from "../document.ts";
import { cut, type GrayImage, identity, scaled } from "../pixels/gray-image.ts";

/** Height of the line image that the model accepts, in pixels. */
const lineHeight = 48;
/** Maximum width of the line image, in pixels. This is enough for some 200 letters. */
const maxWidth = 3200;

export interface LineInput {
  /** Three colour channels with the same values, because the image is gray. */
  values: Float32Array;
  width: number;
  height: number;
}

export function lineInput(image: GrayImage, box: Box): LineInput {
  const line = cut({ image, toPage: identity }, ...box);
  const { width, height, pixels } = resized(line.image);
  const area = width * height;
  const values = new Float32Array(3 * area);
  for (let at = 0; at < area; at++) values[at] = (pixels[at] ?? 0) / 127.5 - 1;
  values.copyWithin(area, 0, area);
  values.copyWithin(2 * area, 0, area);
  return { values, width, height };
}

function resized(image: GrayImage): GrayImage {
  const factor = Math.min(lineHeight / image.height, maxWidth / image.width);
  const { width, height, pixels } = scaled({ image, toPage: identity }, factor).image;
  if (height === lineHeight) return { width, height, pixels };
  const filled = new Uint8Array(width * lineHeight).fill(255);
  filled.set(pixels.subarray(0, filled.length));
  return { width, height: lineHeight, pixels: filled };
}

/** The characters that can be read, and the number of the model's output class for each of them. */
export interface Alphabet {
  classes: Int32Array;
  characters: readonly string[];
  /** Index of the space in `characters`. */
  space: number;
}

/** The class that the model uses for "no character here". */
const blank = 0;

/**
 * Reads the model's list of characters. Each line of the list contains one character, and the class
 * number of that character is the line number, counted from 1. The space is not in the list and has
 * the last class number. Most characters of the list are Chinese and are left out. Full-width Latin
 * characters are replaced by normal ones.
 */
export function alphabetOf(list: string): Alphabet {
  const all = [...list.replaceAll("\r", "").replace(/\n$/, "").split("\n"), " "].map(usualForm);
  const read = all.flatMap((character, index) => (isLatin.test(character) ? [{ character, index: index + 1 }] : []));
  const characters = ["", ...read.map(({ character }) => character)];
  return {
    classes: Int32Array.of(blank, ...read.map(({ index }) => index)),
    characters,
    space: characters.lastIndexOf(" "),
  };
}

/**
 * Maps Chinese and typographic punctuation marks to the ASCII marks that the model confuses them
 * with.
 */
const marks: Readonly<Record<string, string>> = {
  "。": ".",
  "、": ",",
  "·": ".",
  "—": "-",
  "–": "-",
  "‘": "'",
  "’": "'",
};
const usualForm = (character: string): string => marks[character] ?? character.normalize("NFKC");

/** Matches printable characters of Latin-1, curved quotation marks and the bullet. */
const isLatin = /^[\u0020-\u007e\u00a1-\u00ff\u201c\u201d\u2022]$/u;
/** Matches punctuation marks that are so thin or small that the model often misses them. */
const isThin = /^[.,:-]$/;
/**
 * Minimum probability at which a thin punctuation mark is accepted, even if "no character" or a
 * space is more probable.
 */
const minThin = 0.2;

export interface LineCharacter {
  text: string;
  /** Probability that the character is correct, from 0 to 1. */
  confidence: number;
  /**
   * Horizontal middle of the character in pixels of the image. The error is up to about a quarter
   * of the letter height.
   */
  x: number;
  /** Probability that there is a space before the character, from 0 to 1. */
  space: number;
}

/**
 * Decodes the output of the model, in which a character takes one or more steps (CTC): the same
 * class in several consecutive steps is one character.
 */
export function charactersOf(
  scores: Float32Array,
  [, steps = 0, classes = 0]: readonly number[],
  alphabet: Alphabet,
  [left, , right]: Box,
): LineCharacter[] {
  const found: LineCharacter[] = [];
  let last = 0;
  let space = 0;
  for (let step = 0; step < steps; step++) {
    const { index, score, spaceScore } = bestOf(scores, step * classes, alphabet);
    space = Math.min(space + spaceScore, 1);
    const before = found.at(-1);
    if (index === last) {
      if (before && index !== 0 && index !== alphabet.space) before.confidence = Math.max(before.confidence, score);
    } else if (index !== 0 && index !== alphabet.space) {
      const x = left + ((step + 0.5) / steps) * (right - left);
      found.push({ text: alphabet.characters[index] ?? "", confidence: score, x, space });
      space = 0;
    }
    last = index;
  }
  return found;
}

function bestOf(scores: Float32Array, from: number, { classes, characters, space }: Alphabet) {
  let best = { index: 0, score: -1 };
  let thin = { index: 0, score: minThin };
  for (let index = 0; index < classes.length; index++) {
    const score = scores[from + (classes[index] ?? 0)] ?? 0;
    if (score > best.score) best = { index, score };
    if (score > thin.score && isThin.test(characters[index] ?? "")) thin = { index, score };
  }
  const chosen = best.index === 0 || best.index === space ? (thin.index === 0 ? best : thin) : best;
  return { ...chosen, spaceScore: scores[from + (classes[space] ?? 0)] ?? 0 };
}
