/** Values that a client may send anywhere in a request. */
import fc from "fast-check";

export const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", " ", "\u0000", "\ud800", "\u202egpj.pdf", "e\u0301", "é", "x".repeat(5_000), "9".repeat(40)),
  fc.constantFrom("__proto__", "constructor", "toString", "null", "-1", "1e999", "%00", "' or 1=1 --"),
  fc.constantFrom("a.pdf", "A.PDF", "A.DOCX", "../../x.pdf", "../../etc/passwd"),
  fc.constantFrom("EXTRACTOR", "DOCUMENTALIST", "PERSONAL"),
);

export const anything = fc.oneof(
  { depthSize: "small" },
  hostileText,
  fc.json().map((text) => JSON.parse(text) as unknown),
  fc.double(),
  fc.constantFrom(null, [], {}, -1, 2 ** 53, 1e308, true),
);
