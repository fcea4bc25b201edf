/**
 * Regular expressions in field rules. Users write them, and they are matched against text of
 * untrusted files. So the time of a search must be linear in the length of the text, and compiled
 * patterns must be small.
 */
import { RE2JS } from "re2js";

/** Maximum count in a repetition such as `a{100}`. Chosen by hand, 2026-11. */
const maxCount = 100;
/**
 * Maximum number of instructions in a compiled pattern. Each instruction costs time at every
 * character of the text.
 */
const maxProgramSize = 2_000;

/** Returns why a pattern is refused; undefined if it is accepted. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern === "") return "must not be empty";
  if (hasLargeRepetition(pattern))
    return `must not repeat more than ${maxCount} times, nor count within a counted group`;
  try {
    return compile(pattern).programSize() > maxProgramSize ? "is too large" : undefined;
  } catch {
    return "must be a regular expression in the syntax of RE2";
  }
}

/** Returns a function that searches for an accepted pattern in a text. */
export function patternSearch(pattern: string): (text: string) => boolean {
  const compiled = compile(pattern);
  return (text) => compiled.matcher(text).find();
}

const compile = (pattern: string): RE2JS => RE2JS.compile(pattern);

/** One token: an escape, a counted repetition, or a character. */
const token = /\\.|\{(\d{1,9})(?:,(\d{0,9}))?\}|./gsu;

/**
 * Returns whether a counted repetition such as `a{500}` is too large or contains another one. RE2
 * compiles `a{500}` to 500 copies of `a`, so the numbers of nested repetitions multiply.
 */
function hasLargeRepetition(pattern: string): boolean {
  const groups = [false];
  /** Start of the current character class; undefined outside of classes. */
  let classStart: number | undefined;
  /** True if the previous token ended a group that contains a counted repetition. */
  let afterCounted = false;
  for (const { 0: text, 1: least, 2: most, index } of pattern.matchAll(token)) {
    if (classStart !== undefined) {
      // A `]` right after the opening `[` or `[^` is a character of the class.
      if (text === "]" && !/^\[\^?$/.test(pattern.slice(classStart, index))) classStart = undefined;
      continue;
    }
    if (least !== undefined) {
      if (afterCounted || Math.max(Number(least), Number(most ?? 0)) > maxCount) return true;
      groups[groups.length - 1] = true;
    }
    afterCounted = false;
    if (text === "[") classStart = index;
    if (text === "(") groups.push(false);
    if (text === ")" && groups.length > 1) {
      afterCounted = groups.pop() === true;
      if (afterCounted) groups[groups.length - 1] = true;
    }
  }
  return false;
}
