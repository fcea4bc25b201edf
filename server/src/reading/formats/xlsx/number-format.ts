/**
 * Converts the value of a cell to the text that its number format shows. Formulas are never
 * evaluated, and colours are ignored.
 */
import { generalText } from "./decimal.ts";
import { type FormatSection, type FormatToken, parseFormatCode } from "./format-code.ts";
import { numberText } from "./formatted-number.ts";
import { dateText } from "./serial-date.ts";

export interface NumberFormat {
  /** True if numbers are shown as if the cell had no format. */
  isGeneral: boolean;
  number(value: number, is1904: boolean): string;
  text(value: string): string;
}

/**
 * The built-in formats. The short date and the East Asian dates (27–36, 50–58) depend on the
 * settings of the computer, so they are shown in an international format.
 */
const builtIn: Readonly<Record<number, string>> = {
  ...{ 0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?" },
  ...{ 5: "$#,##0;($#,##0)", 6: "$#,##0;[Red]($#,##0)", 7: "$#,##0.00;($#,##0.00)", 8: "$#,##0.00;[Red]($#,##0.00)" },
  ...{ 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 20: "h:mm" },
  ...{ 19: "h:mm:ss AM/PM", 21: "h:mm:ss", 22: "yyyy-mm-dd hh:mm", 37: "#,##0;(#,##0)", 38: "#,##0;[Red](#,##0)" },
  ...{ 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;[Red](#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0" },
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)',
  ...{ 48: "##0.0E+0", 49: "@" },
};

const eastAsianTimes = new Set([32, 33, 34, 35]);

/** Returns the code of a built-in format, which the file need not define. */
export function builtInCode(id: number): string {
  const known = builtIn[id];
  if (known !== undefined) return known;
  if (eastAsianTimes.has(id)) return "h:mm:ss";
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? "yyyy-mm-dd" : "General";
}

export function numberFormatOf(code: string): NumberFormat {
  if (/^general$/iu.test(code) || code === "") {
    return { isGeneral: true, number: generalText, text: (value) => value };
  }
  const sections = parseFormatCode(code);
  return {
    isGeneral: false,
    number: (value, is1904) => (Number.isFinite(value) ? shownNumber(value, sections, is1904) : ""),
    text: (value) => shownText(value, sections),
  };
}

const isTextual = ({ tokens }: FormatSection): boolean => tokens.some(({ kind }) => kind === "text");

function shownText(value: string, sections: readonly FormatSection[]): string {
  const last = sections.length === 4 ? sections[3] : sections.findLast(isTextual);
  if (last === undefined || (sections.length < 4 && !isTextual(last))) return value;
  return last.tokens.map((token) => (token.kind === "text" ? value : plain(token))).join("");
}

const plain = (token: FormatToken): string => (token.kind === "literal" ? token.text : "");

function shownNumber(value: number, sections: readonly FormatSection[], is1904: boolean): string {
  const { section, signed } = choose(value, sections);
  if (section === undefined) return "";
  if (section.isDate || section.system !== undefined) return dateText(value, section, is1904) ?? generalText(value);
  if (isTextual(section)) return shownText(generalText(value), [section]);
  const text = numberText(Math.abs(value), section.tokens);
  return signed && value < 0 && /[1-9]/u.test(text) ? `-${text}` : text;
}

/** Returns the section that is used for a number, and whether the caller must add the sign. */
function choose(value: number, all: readonly FormatSection[]): { section: FormatSection | undefined; signed: boolean } {
  // Most formats have a single section for all numbers.
  const [only] = all;
  if (all.length === 1 && only?.condition === undefined) return { section: only, signed: true };
  const sections = all.length === 4 ? all.slice(0, 3) : numeric(all);
  if (sections.some(({ condition }) => condition !== undefined)) return chooseByCondition(value, sections);
  if (sections.length >= 2 && value < 0) return { section: sections[1], signed: false };
  return { section: value === 0 && sections.length >= 3 ? sections[2] : sections[0], signed: true };
}

/** Returns the sections for numbers. The last of several sections may be for text only. */
function numeric(sections: readonly FormatSection[]): readonly FormatSection[] {
  const last = sections.at(-1);
  return sections.length > 1 && last !== undefined && isTextual(last) ? sections.slice(0, -1) : sections;
}

function chooseByCondition(value: number, sections: readonly FormatSection[]) {
  const index = sections.findIndex((section, at) => meets(value, section, at, sections.length));
  const section = sections[index < 0 ? sections.length - 1 : index];
  const { operator = "", operand = 0 } = section?.condition ?? {};
  const onlyNegative = operator.startsWith("<") && operator !== "<>" && operand <= 0;
  const isImpliedNegative = section?.condition === undefined && index === 1 && sections.length > 2;
  return { section, signed: !onlyNegative && !isImpliedNegative };
}

/**
 * Returns true if a section is used for a value. The last section is used for all values that match
 * no other section. If there are three sections and the second has no condition, it is for negative
 * numbers.
 */
function meets(value: number, { condition }: FormatSection, index: number, count: number): boolean {
  if (condition === undefined) return index === count - 1 || (index === 0 ? value > 0 : value < 0);
  const { operator, operand } = condition;
  switch (operator) {
    case "<":
      return value < operand;
    case "<=":
      return value <= operand;
    case ">":
      return value > operand;
    case ">=":
      return value >= operand;
    case "<>":
      return value !== operand;
    default:
      return value === operand;
  }
}
