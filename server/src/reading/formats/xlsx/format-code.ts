/**
 * Parses the codes of number formats (ECMA-376 part 1, 18.8.31) into sections, which consist of
 * tokens.
 */

export type DateUnit = "year" | "buddhist" | "month" | "day" | "hour" | "minute" | "second";

export type DateToken =
  | { kind: "date"; unit: DateUnit; length: number }
  /** Elapsed time in hours, minutes or seconds. It can exceed a day. */
  | { kind: "elapsed"; unit: "hour" | "minute" | "second"; length: number }
  | { kind: "subsecond"; length: number }
  | { kind: "half"; morning: string; afternoon: string };

export type FormatToken =
  | { kind: "literal"; text: string }
  /**
   * Placeholder of a digit. A digit is always shown ("0"), shown if significant ("#"), or replaced
   * by a space if not significant ("?").
   */
  | { kind: "digit"; placeholder: string }
  | { kind: "point" | "comma" | "percent" | "text" | "slash" | "general" }
  | { kind: "exponent"; signed: boolean }
  | DateToken;

export interface FormatSection {
  tokens: FormatToken[];
  /** Condition that a value must meet for the section to be used. */
  condition?: { operator: string; operand: number };
  /** Windows language identifier, for the names of months and days. */
  language?: number;
  /** Set if the section uses the long date format or the time format of the system. */
  system?: "date" | "time";
  isDate: boolean;
}

/** Maximum length of a format code, in characters. Chosen by hand, 2026-11. */
const maxCodeLength = 1000;
/** Maximum number of sections of a format code (ECMA-376). */
const maxSections = 4;

/**
 * Matches one piece of a code. A bracket or quotation mark that is not closed extends to the end of
 * the code.
 */
const piece =
  /"(?<quoted>[^"]*)"?|\\(?<escaped>.?)|_(?<space>.?)|\*.?|\[(?<bracket>[^\]]*)\]?|(?<general>General)|(?<half>AM\/PM|A\/P)|(?<exponent>E[+-])|(?<date>[yY]+|[mM]+|[dD]+|[hH]+|[sS]+|[eE]+|[bB]+|[gG]+)|(?<end>;)|(?<one>.)/gsu;

export function parseFormatCode(code: string): FormatSection[] {
  let section: FormatSection = { tokens: [], isDate: false };
  const sections = [section];
  for (const { groups = {} } of code.slice(0, maxCodeLength).matchAll(piece)) {
    if (groups.end !== undefined) {
      section = { tokens: [], isDate: false };
      sections.push(section);
    } else addPiece(section, groups);
  }
  for (const each of sections) finish(each);
  return sections.slice(0, maxSections);
}

type Groups = Readonly<Record<string, string | undefined>>;

function addPiece(
  section: FormatSection,
  { quoted, escaped, space, bracket, general, half, exponent, date, one }: Groups,
) {
  const { tokens } = section;
  const literal = quoted ?? escaped ?? (space === undefined ? undefined : " ");
  if (literal !== undefined) tokens.push({ kind: "literal", text: literal });
  else if (bracket !== undefined) addBracket(section, bracket);
  else if (general !== undefined) tokens.push({ kind: "general" });
  else if (half !== undefined) {
    const [morning = "", afternoon = ""] = half.split("/");
    tokens.push({ kind: "half", morning, afternoon });
  } else if (exponent !== undefined) tokens.push({ kind: "exponent", signed: exponent.endsWith("+") });
  else if (date !== undefined) addDate(tokens, date.toLowerCase());
  else if (one !== undefined) tokens.push(single(one));
}

function single(letter: string): FormatToken {
  switch (letter) {
    case "0":
    case "#":
    case "?":
      return { kind: "digit", placeholder: letter };
    case ".":
      return { kind: "point" };
    case ",":
      return { kind: "comma" };
    case "%":
      return { kind: "percent" };
    case "@":
      return { kind: "text" };
    case "/":
      return { kind: "slash" };
    default:
      return { kind: "literal", text: letter };
  }
}

const units: Readonly<Record<string, DateUnit>> = {
  ...{ y: "year", e: "year", b: "buddhist", m: "month", d: "day", h: "hour", s: "second" },
};

function addDate(tokens: FormatToken[], letters: string): void {
  const letter = letters.charAt(0);
  const unit = units[letter];
  // The era of the Japanese calendar ("g") is dropped, because the year is shown in the common era.
  if (unit !== undefined) tokens.push({ kind: "date", unit, length: letter === "e" ? 4 : letters.length });
}

/** Adds a bracket: a colour, a condition, a currency with an optional language, or elapsed time. */
function addBracket(section: FormatSection, content: string): void {
  const currency = /^\$([^-]*)(?:-([0-9a-f]+))?/iu.exec(content);
  const condition = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/u.exec(content);
  const elapsed = /^(?:(h+)|(m+)|(s+))$/iu.exec(content);
  if (currency !== null) {
    if (currency[1]) section.tokens.push({ kind: "literal", text: currency[1] });
    addLanguage(section, currency[2]);
  } else if (condition !== null) section.condition = { operator: condition[1] ?? "", operand: Number(condition[2]) };
  else if (elapsed !== null) {
    const unit = elapsed[1] ? "hour" : elapsed[2] ? "minute" : "second";
    section.tokens.push({ kind: "elapsed", unit, length: content.length });
  }
}

function addLanguage(section: FormatSection, code: string | undefined): void {
  if (code === undefined) return;
  const number = Number.parseInt(code, 16);
  if (number === 0xf800) section.system = "date";
  else if (number === 0xf400) section.system = "time";
  else section.language = number & 0xffff;
}

/**
 * Completes a section. "m" means minutes after hours or before seconds, and months otherwise. Zeros
 * after "." are fractions of a second.
 */
function finish(section: FormatSection): void {
  const { tokens } = section;
  section.isDate = tokens.some(isTime);
  if (!section.isDate) return;
  const times = tokens.filter((token) => token.kind === "date" || token.kind === "elapsed");
  for (const [index, token] of times.entries()) {
    if (token.kind !== "date" || token.unit !== "month" || token.length > 2) continue;
    if (times[index - 1]?.unit === "hour" || times[index + 1]?.unit === "second") token.unit = "minute";
  }
  section.tokens = withSubseconds(tokens);
}

const isTime = ({ kind }: FormatToken): boolean => kind === "date" || kind === "elapsed" || kind === "half";

function withSubseconds(tokens: readonly FormatToken[]): FormatToken[] {
  const result: FormatToken[] = [];
  let next = 0;
  for (const [at, token] of tokens.entries()) {
    if (at < next) continue;
    let zeros = 0;
    if (token.kind === "point") while (isZero(tokens[at + 1 + zeros])) zeros++;
    if (zeros > 0) result.push({ kind: "subsecond", length: Math.min(zeros, 3) });
    else result.push(plainOf(token));
    next = at + zeros + 1;
  }
  return result;
}

const isZero = (token: FormatToken | undefined): boolean => token?.kind === "digit" && token.placeholder === "0";

/**
 * Returns a token of a date. Characters that have a meaning only in numbers are literal text in a
 * date.
 */
function plainOf(token: FormatToken): FormatToken {
  const signs: Readonly<Record<string, string>> = { point: ".", comma: ",", percent: "%", slash: "/" };
  const text = token.kind === "digit" ? token.placeholder : signs[token.kind];
  return text === undefined ? token : { kind: "literal", text };
}
