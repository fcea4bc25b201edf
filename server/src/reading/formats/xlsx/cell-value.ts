/** Converts the stored value of a cell to the text that it shows. */
import type { NumberFormat } from "./number-format.ts";
import { serialOf } from "./serial-date.ts";
import { unescaped } from "./workbook.ts";

export interface ValueContext {
  strings: readonly string[];
  is1904: boolean;
}

/**
 * @param type type of the cell in the file
 * @param written stored value, not empty
 */
export function shownValue(type: string, written: string, format: NumberFormat, context: ValueContext): string {
  switch (type) {
    case "s":
      return format.text(context.strings[Number(written)] ?? "");
    case "str":
    case "inlineStr":
      return format.text(unescaped(written));
    case "b":
      return written === "1" || written === "true" ? "TRUE" : "FALSE";
    case "e":
      return written;
    case "d":
      return dateShown(written, format, context.is1904);
    default:
      return numberShown(written, format, context.is1904);
  }
}

/**
 * Returns the text for a number. The most frequent case by far, a whole number without a format, is
 * shown as written.
 */
function numberShown(value: string, format: NumberFormat, is1904: boolean): string {
  if (format.isGeneral && isPlainWhole(value)) return value;
  const number = Number(value);
  // `Number` converts a text that is only white space to 0.
  return Number.isNaN(number) || (number === 0 && value.trim() === "") ? value : format.number(number, is1904);
}

/** Returns true for at most eleven digits without a leading zero. */
function isPlainWhole(value: string): boolean {
  if (value.length > 11 || (value.length > 1 && value.charCodeAt(0) === zero)) return false;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < zero || code > nine) return false;
  }
  return true;
}

const [zero, nine] = [0x30, 0x39] as const;

function dateShown(value: string, format: NumberFormat, is1904: boolean): string {
  const serial = serialOf(value, is1904);
  return serial === undefined || format.isGeneral ? value : format.number(serial, is1904);
}
