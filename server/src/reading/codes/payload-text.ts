/** Turns the payload of a code into the text that a Document keeps. */
import { type Barcode, maxBarcodeText } from "../document.ts";

export type PayloadText = Pick<Barcode, "text" | "omitted">;

/**
 * Line breaks, and the characters that separate the parts of a payload: ASCII 28 to 31 and 4, and
 * the symbols that the library substitutes for them in ISO 15434 messages.
 */
const separators: ReadonlySet<string> = new Set(
  [0x0a, 0x0d, 0x04, 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0x2028, 0x2029, 0x2404, 0x241c, 0x241d, 0x241e, 0x241f].map((code) =>
    String.fromCodePoint(code),
  ),
);
const tabs: ReadonlySet<string> = new Set("\t\v\f");
/**
 * Invisible characters: control characters, bidirectional control characters (which could disguise
 * the text), and private-use or unassigned characters.
 */
const shapeless = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]/gu;

/**
 * If more than this share of a payload's characters are invisible, the payload counts as binary
 * data. Chosen by hand, 2026-11.
 */
const maxShapelessPart = 0.05;

/**
 * Returns the text of a payload.
 * @param binary true if the library says that the payload is not text
 */
export function payloadText(payload: string, binary: boolean): PayloadText {
  let lined = "";
  for (const letter of payload.slice(0, maxBarcodeText * 2).replaceAll("\r\n", "\n"))
    lined += separators.has(letter) ? "\n" : tabs.has(letter) ? " " : letter;
  const odd = lined.match(shapeless)?.filter((each) => each !== "\n").length ?? 0;
  if (binary || odd > maxShapelessPart * lined.length) return { text: "", omitted: "binary" };
  const text = lined.replace(shapeless, (each) => (each === "\n" ? each : "")).trimEnd();
  if (text.trim() === "") return { text: "", omitted: "binary" };
  if (text.length <= maxBarcodeText) return { text };
  return { text: withoutHalfLetter(text.slice(0, maxBarcodeText)), omitted: "too_long" };
}

/** Removes the first half of a surrogate pair from the end. */
const withoutHalfLetter = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");
