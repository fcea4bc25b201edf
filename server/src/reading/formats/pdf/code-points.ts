/** Converts character codes to text. */

export function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0xa0) return code === 0x85;
  return code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || isRareSpace(code);
}

const isRareSpace = (code: number): boolean =>
  code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000 || code === 0x1680;

export function isRightToLeft(code: number): boolean {
  return (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfeff);
}

/**
 * Returns the text of a character code. Returns "" for control characters and invisible marks.
 * Ligatures and presentation forms become their letters.
 */
export function textOf(code: number): string {
  if (code < 0x7f) return code > 0x20 ? String.fromCharCode(code) : "";
  if (code < 0xad) return code > 0xa0 ? String.fromCharCode(code) : "";
  if (code > 0x10ffff) return "\ufffd";
  if (code === 0xad) return "-";
  if (isInvisible(code)) return "";
  const text = String.fromCodePoint(code);
  return code >= 0xfb00 && code <= 0xfefc ? text.normalize("NFKC").replaceAll(/\s/g, "") : text;
}

function isInvisible(code: number): boolean {
  if (code < 0x200b) return code === 0x61c || code === 0x180e;
  return (
    code <= 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    (code >= 0xfff0 && code <= 0xfffb) ||
    code === 0xffff ||
    (code >= 0xe0000 && code <= 0xe007f)
  );
}
