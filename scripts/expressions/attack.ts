/**
 * Searches for texts for which an expression takes more than linear time. Tries texts that are
 * derived from the parts of the expression.
 */
import { type AST, parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp";

export interface SlowText {
  /** The text that is repeated. */
  pump: string;
  /** The text before the repetitions. */
  prefix: string;
  /** The text after the repetitions. */
  suffix: string;
  /**
   * Time for a long text, divided by the time for a text of a quarter of its length: 4 if the time
   * is linear, 16 if it is quadratic.
   */
  growth: number;
}

/**
 * Length of the shorter trial text in UTF-16 code units. At this length, an expression with linear
 * time takes far less than 1 ms, and one with quadratic time 10 ms or more.
 */
const shortLength = 2_000;
const longer = 4;
/**
 * Growth is measured only if the shorter text takes at least this long, in milliseconds. Some
 * expressions with linear time also take that long.
 */
const suspiciousMs = 1;
/** Maximum accepted growth, between 4 (linear) and 16 (quadratic). */
const maxGrowth = 8.5;
const repeats = 5;

/** One character of each class that expressions commonly distinguish. */
const palette = [..."aAé中ا1 \n\t.,-:;/()[]{}<>@_'\"€%#=!+&|*•№?", "\u0301", "\u200b"];
/**
 * Frequent characters. They are tried for every expression, alone and after each of its own
 * characters.
 */
const common = ["a", "A", "1", " ", "\n", ".", ",", "-", ":"];

export function slowTextFor(expression: RegExp): SlowText | undefined {
  if (!repeatsWithoutEnd(expression)) return undefined;
  const plain = new RegExp(expression.source, expression.flags.replace("y", ""));
  for (const pump of pumpsOf(plain))
    for (const prefix of ["", ...sampleOf(plain)])
      for (const suffix of ["", "\n\u0001", "\u0001"]) {
        const growth = growthOf(plain, (length) => prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix);
        if (growth > maxGrowth) return { pump, prefix, suffix, growth };
      }
  return undefined;
}

/**
 * Returns true if the expression contains an unlimited repetition. If it does not, matching at one
 * position takes limited time.
 */
function repeatsWithoutEnd(expression: RegExp): boolean {
  let repeats = false;
  visitRegExpAST(parseRegExpLiteral(expression), {
    onQuantifierEnter: ({ max }) => {
      repeats ||= max === Number.POSITIVE_INFINITY;
    },
  });
  return repeats;
}

function growthOf(expression: RegExp, textOf: (length: number) => string): number {
  const short = textOf(shortLength);
  if (timeOf(expression, short) < suspiciousMs) return 0;
  const best = (text: string): number => Math.min(...Array.from({ length: repeats }, () => timeOf(expression, text)));
  const before = best(short);
  return before < suspiciousMs / 2 ? 0 : best(textOf(longer * shortLength)) / before;
}

/** Returns the processor time in milliseconds, which depends little on how busy the machine is. */
function timeOf(expression: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  expression.lastIndex = 0;
  text.match(expression);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Returns texts to repeat: frequent characters, characters of the expression, pairs of both, and
 * texts that match parts of the expression.
 */
function pumpsOf(expression: RegExp): Set<string> {
  const { pattern } = parseRegExpLiteral(expression);
  const parts: string[] = [];
  const characters = new Set<string>();
  const walk = (alternatives: readonly AST.Alternative[]): void => {
    for (const { elements } of alternatives) {
      const samples = elements.map((element) => textOf(element, expression.flags));
      for (const [index, sample] of samples.entries()) {
        if (sample.length === 1) characters.add(sample);
        parts.push(sample, sample + (samples[index + 1] ?? ""));
      }
      parts.push(samples.join(""));
      for (const element of elements) {
        const inner = element.type === "Quantifier" ? element.element : element;
        if ("alternatives" in inner) walk(inner.alternatives);
      }
    }
  };
  walk(pattern.alternatives);
  const own = [...characters].slice(0, maxOwnCharacters);
  const pairs = own.flatMap((character) => common.map((other) => character + other));
  return new Set([...common, ...own, ...parts.slice(0, maxParts), ...pairs].filter((pump) => pump !== ""));
}

const maxOwnCharacters = 8;
const maxParts = 80;

/**
 * Returns a short text that may match the expression, to be used as a prefix; empty if there is
 * none.
 */
function sampleOf(expression: RegExp): string[] {
  const [first] = parseRegExpLiteral(expression).pattern.alternatives;
  const sample = first?.elements.map((element) => textOf(element, expression.flags)).join("") ?? "";
  return sample === "" ? [] : [sample];
}

/** Returns a text that matches the element, if one is easy to find. */
function textOf(element: AST.Element, flags: string): string {
  switch (element.type) {
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass":
      return characterOf(element.raw, flags);
    case "Quantifier":
      return textOf(element.element, flags).repeat(Math.min(3, Math.max(1, element.min)));
    case "Group":
    case "CapturingGroup":
      return (element.alternatives[0]?.elements ?? []).map((each) => textOf(each, flags)).join("");
    default:
      return "";
  }
}

function characterOf(raw: string, flags: string): string {
  const one = new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ""));
  return palette.find((character) => one.test(character)) ?? "";
}
