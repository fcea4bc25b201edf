/** Turns the payload of a code into the text that a Document keeps. */
import { type Barcode, maxBarcodeText } from "../document.ts";

export type PayloadText = Pick<Barcode, "text" | "omitted">;

/**
 * Line ends, and the characters by which payloads separate their parts: ASCII 28 to 31 and 4, and
 * the signs as which the library shows these in messages of ISO 15434.
 */
const separators: ReadonlySet<string> = new Set(
  [0x0a, 0x0d, 0x04, 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0x2028, 0x2029, 0x2404, 0x241c, 0x241d, 0x241e, 0x241f].map((code) =>
    String.fromCodePoint(code),
  ),
);
const tabs: ReadonlySet<string> = new Set("\t\v\f");
/**
 * Characters that have no shape: control characters, marks for the direction of text, which could
 * hide what it says, and characters that no standard assigns.
 */
const shapeless = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]/gu;

/** Maximum share of shapeless characters. A payload with more is data. Chosen by hand, 2026-11. */
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
