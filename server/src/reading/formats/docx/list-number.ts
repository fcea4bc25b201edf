/** Converts numbers of lists and notes to text in a format such as `upperRoman`. */

/**
 * Maximum number that is written in letters, Roman numerals or ideographs. Larger numbers are
 * written in decimal, because text with repeated letters, such as z, zz, zzz, would become too
 * long. Chosen by hand, 2026-11.
 */
const maxSpelled = 780;

export function numberText(value: number, format: string): string {
  if (format === "none") return "";
  if (format === "decimalZero") return String(value).padStart(2, "0");
  if (format === "decimalEnclosedParen") return `(${value})`;
  if (format === "ordinal") return `${value}${ordinalEnding(value)}`;
  if (value < 1 || value > maxSpelled) return String(value);
  switch (format) {
    case "lowerLetter":
      return letters(value, latin);
    case "upperLetter":
      return letters(value, latin).toUpperCase();
    case "lowerRoman":
      return roman(value).toLowerCase();
    case "upperRoman":
      return roman(value);
    case "russianLower":
      return letters(value, cyrillic);
    case "russianUpper":
      return letters(value, cyrillic).toUpperCase();
    case "arabicAlpha":
      return letters(value, arabic);
    case "hebrew2":
      return letters(value, hebrew);
    case "chicago":
      return (chicago[(value - 1) % chicago.length] ?? "").repeat(Math.floor((value - 1) / chicago.length) + 1);
    case "decimalEnclosedCircle":
      return value <= 20 ? String.fromCodePoint(0x245f + value) : String(value);
    case "chineseCounting":
    case "chineseCountingThousand":
    case "ideographDigital":
    case "japaneseCounting":
    case "taiwaneseCountingThousand":
      return ideographs(value);
    default:
      return String(value);
  }
}

const latin = [..."abcdefghijklmnopqrstuvwxyz"];
const cyrillic = [..."абвгдежзиклмнопрстуфхцчшщэюя"];
const arabic = [..."أبتثجحخدذرزسشصضطظعغفقكلمنهوي"];
const hebrew = [..."אבגדהוזחטיכלמנסעפצקרשת"];
const chicago = ["*", "†", "‡", "§"];

/** Returns a number as letters: a … z, then aa, bb and so on, as Word does. */
function letters(value: number, alphabet: readonly string[]): string {
  const letter = alphabet[(value - 1) % alphabet.length] ?? "";
  return letter.repeat(Math.floor((value - 1) / alphabet.length) + 1);
}

const romans: readonly (readonly [number, string])[] = [
  ...([
    [500, "D"],
    [400, "CD"],
    [100, "C"],
    [90, "XC"],
    [50, "L"],
    [40, "XL"],
  ] as const),
  ...([
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ] as const),
];

function roman(value: number): string {
  let text = "";
  let rest = value;
  for (const [worth, sign] of romans) {
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  }
  return text;
}

function ordinalEnding(value: number): string {
  const tens = Math.floor(value / 10) % 10;
  return (tens === 1 ? undefined : ["th", "st", "nd", "rd"][value % 10]) ?? "th";
}

const digits = [..."〇一二三四五六七八九"];

function ideographs(value: number): string {
  const hundreds = Math.floor(value / 100);
  const tens = Math.floor(value / 10) % 10;
  const ones = value % 10;
  let text = hundreds > 0 ? `${digits[hundreds]}百` : "";
  if (tens > 0) text += tens === 1 && hundreds === 0 ? "十" : `${digits[tens]}十`;
  else if (hundreds > 0 && ones > 0) text += digits[0];
  return text + (ones > 0 ? digits[ones] : "");
}
