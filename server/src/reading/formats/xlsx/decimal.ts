/**
 * Rounds decimal numbers as spreadsheets do: first to fifteen significant digits, then to the
 * requested number of decimal places. Halves are rounded away from zero.
 */

const significant = 15;

export interface Decimal {
  /** Digits without leading zeros. Empty for zero. */
  whole: string;
  /** Exactly as many digits as requested. */
  fraction: string;
}

/**
 * Returns the digits of a value that is not negative. An infinite value counts as the largest
 * finite number.
 */
export function decimalOf(value: number, places: number): Decimal {
  if (value === 0) return { whole: "", fraction: "0".repeat(places) };
  const quick = quickDigits(value, places);
  if (quick !== undefined) return parted(quick, places);
  const [mantissa = "", power = "0"] = Math.min(value, Number.MAX_VALUE)
    .toExponential(significant - 1)
    .split("e");
  const exponent = Number(power);
  const digits = mantissa.replace(".", "");
  const kept = exponent + 1 + places;
  return parted(kept < 0 ? "" : roundedDigits(digits, kept), places);
}

/**
 * Computes the digits with ordinary arithmetic, which is fast. Returns undefined if the digits
 * might be wrong, which is possible if the value is large, if the part to be rounded is close to a
 * half, or if many decimal places are requested.
 */
function quickDigits(value: number, places: number): string | undefined {
  if (places > 6 || value >= 1e8) return undefined;
  const scaled = value * 10 ** places;
  const whole = Math.floor(scaled);
  const rest = scaled - whole;
  return Math.abs(rest - 0.5) < 1e-3 ? undefined : String(rest < 0.5 ? whole : whole + 1);
}

function parted(digits: string, places: number): Decimal {
  const all = digits.padStart(places + 1, "0");
  const point = all.length - places;
  let start = 0;
  while (start < point && all.charCodeAt(start) === zeroCode) start++;
  return { whole: all.slice(start, point), fraction: all.slice(point) };
}

/**
 * Returns the first `kept` digits, rounded, as a whole number. If rounding carries over, the result
 * has one digit more.
 */
function roundedDigits(digits: string, kept: number): string {
  if (kept >= digits.length) return digits.padEnd(kept, "0");
  const first = digits.slice(0, kept);
  if (digits.charCodeAt(kept) < fiveCode) return first;
  return (BigInt(first === "" ? "0" : first) + 1n).toString().padStart(kept, "0");
}

const [zeroCode, fiveCode] = [0x30, 0x35] as const;

export const withoutTrailingZeros = (digits: string): string => digits.replace(/(?<!0)0+$/u, "");

const generalLength = 11;
const smallest = 1e-4;
const largest = 1e11;

/**
 * Returns a number as a cell without a format shows it: with at most eleven characters besides the
 * sign.
 */
export function generalText(value: number): string {
  if (!Number.isFinite(value)) return "";
  if (value < 0) return `-${generalText(-value)}`;
  if (value === 0) return "0";
  const exact = Number(value.toPrecision(significant));
  const plain = String(exact);
  if (plain.length <= generalLength && !plain.includes("e")) return plain;
  if (exact >= largest || exact < smallest) return shortOrScientific(exact);
  const wholeLength = Math.max(1, Math.floor(Math.log10(exact)) + 1);
  const { whole, fraction } = decimalOf(exact, Math.max(0, generalLength - 1 - wholeLength));
  const shown = withoutTrailingZeros(fraction);
  return (whole || "0") + (shown === "" ? "" : `.${shown}`);
}

function shortOrScientific(value: number): string {
  const { fraction } = decimalOf(value, generalLength - 2);
  if (value < 1 && Number(`0.${fraction}`) === value) return `0.${withoutTrailingZeros(fraction)}`;
  const [mantissa = "", power = "0"] = value.toExponential(5).split("e");
  const exponent = Number(power);
  const short = mantissa.includes(".") ? mantissa.replace(/(?:\.|(?<!0))0+$/u, "") : mantissa;
  return `${short}E${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
