/**
 * Maps letters of symbol fonts to the characters that they show. Files store such letters in the
 * private use area of Unicode.
 */

const wingdings: Readonly<Record<number, string>> = {
  ...{ 108: "●", 109: "❍", 110: "■", 111: "□", 113: "❑", 117: "◆", 118: "❖", 119: "⬥", 159: "•", 167: "▪" },
  ...{ 168: "☐", 183: "•", 216: "➢", 223: "←", 224: "→", 225: "↑", 226: "↓", 232: "➔", 240: "⇨" },
  ...{ 251: "✗", 252: "✓", 253: "☒", 254: "☑", 40: "☎", 42: "✉", 33: "✏", 74: "☺", 76: "☹" },
};

const wingdings2: Readonly<Record<number, string>> = {
  ...{ 79: "✗", 80: "✓", 81: "☒", 82: "☑", 83: "☒", 84: "☒", 163: "☐", 151: "•" },
};

const greekLower = [..."αβχδεφγηιϕκλμνοπθρστυϖωξψζ"];
const greekUpper = [..."ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"];

const symbol: Readonly<Record<number, string>> = {
  ...{ 163: "≤", 165: "∞", 171: "↔", 172: "←", 173: "↑", 174: "→", 175: "↓", 176: "°", 177: "±", 179: "≥" },
  ...{ 180: "×", 181: "∝", 182: "∂", 183: "•", 184: "÷", 185: "≠", 186: "≡", 187: "≈", 188: "…", 198: "∅" },
  ...{ 199: "∩", 200: "∪", 206: "∈", 208: "∠", 209: "∇", 210: "®", 211: "©", 212: "™", 213: "∏", 214: "√" },
  ...{ 222: "⇒", 229: "∑", 242: "∫", 160: "€", 45: "−" },
};

/**
 * Returns the Unicode character for the letter `code` of `font`. The code may include the offset of
 * the private use area. Returns "" if the letter is not known.
 */
export function symbolText(font: string, code: number): string {
  const letter = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const name = font.toLowerCase();
  if (name === "wingdings") return wingdings[letter] ?? "";
  if (name === "wingdings 2") return wingdings2[letter] ?? "";
  if (name === "symbol") return symbolLetter(letter);
  if (letter === code) return code > 0x1f && code < 0xd800 ? String.fromCodePoint(code) : "";
  return letter > 0x1f ? String.fromCodePoint(letter) : "";
}

function symbolLetter(letter: number): string {
  if (letter >= 0x61 && letter <= 0x7a) return greekLower[letter - 0x61] ?? "";
  if (letter >= 0x41 && letter <= 0x5a) return greekUpper[letter - 0x41] ?? "";
  return symbol[letter] ?? (letter > 0x1f && letter < 0x7f ? String.fromCodePoint(letter) : "");
}

/**
 * Returns a bullet as Unicode text. A letter of a symbol font becomes "•" if its shape is not
 * known.
 */
export function bulletText(font: string, text: string): string {
  if (text.trim() === "") return "";
  const code = text.codePointAt(0) ?? 0;
  if (code >= 0xf000 && code <= 0xf0ff)
    return symbolText(/wingdings|symbol/iu.test(font) ? font : "wingdings", code) || "•";
  if (text === "o") return "◦";
  return /^wingdings/iu.test(font) ? symbolText(font, code) || "•" : text;
}
