import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { makeXlsx } from "../../testing/make-office.ts";
import { readXlsx } from "./read-xlsx.ts";

const reference = fc.constantFrom("", ' r="A1"', ' r="B2"', ' r="AA7"', ' r="b9"', ' r="XFE1"', ' r="A0"', ' r="C"');
const style = fc.constantFrom("", ' s="0"', ' s="1"', ' s="2"', ' s="77"', ' s=""', ' s="x"');
const type = fc.constantFrom("", "s", "n", "str", "b", "e", "d", "z").map((value) => value && ` t="${value}"`);
const formula = fc.constantFrom("", "<f>A1*2</f>", "<f>A1&amp;B1</f>", '<f t="shared" si="0"/>');
const written = fc.constantFrom(
  "",
  "0",
  "1",
  "007",
  "1234.5",
  "-3",
  "123456789012",
  "1e3",
  "2023-03-15",
  " ",
  "a&lt;b",
);
const text = fc.constantFrom("", "text", "two words", "&amp;", "_x0041_", "ä");
const inline = fc
  .tuple(text, fc.constantFrom("", ' xml:space="preserve"'), reference)
  .map(([value, space, place]) => `<c${place} t="inlineStr"><is><t${space}>${value}</t></is></c>`);
const valued = fc
  .tuple(reference, style, type, formula, written)
  .map(([place, look, kind, made, value]) => `<c${place}${look}${kind}>${made}<v>${value}</v></c>`);
const empty = fc.tuple(reference, style).map(([place, look]) => `<c${place}${look}/>`);
const rows = fc.array(fc.array(fc.oneof(valued, inline, empty), { maxLength: 6 }), { minLength: 1, maxLength: 4 });

const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="4"/><xf numFmtId="14"/></cellXfs>';
const strings = "<si><t>first text</t></si><si><t>second</t></si>";
const documentOf = (sheet: string) => readXlsx(makeXlsx({ sheets: { S: sheet }, styles, strings }));

it("reads cells in the same way by the fast path and by the general scanner", () => {
  fc.assert(
    fc.property(rows, (list) => {
      const sheet = list.map((cells) => `<row>${cells.join("")}</row>`).join("");
      // An extra space does not change the meaning, but the fast path does not accept it.
      assert.deepEqual(documentOf(sheet), documentOf(sheet.replaceAll(/<c(?=[ >/])/gu, "<c ")));
    }),
    { numRuns: 500 },
  );
});

it("reads cells that cross chunks of the file like cells within a chunk", () => {
  const cells = Array.from({ length: 60_000 }, (_, row) => `<row><c><v>${row}</v></c><c t="str"><v>é</v></c></row>`);
  const texts = documentOf(cells.join("")).pages.flatMap(({ words }) => words.map((word) => word.text));
  assert.deepEqual(texts, ["S", ...Array.from({ length: 60_000 }, (_, row) => [String(row), "é"]).flat()]);
});
