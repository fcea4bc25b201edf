import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ReadingError } from "../../reader.ts";
import { scanXml } from "./xml.ts";

/** Returns the events of a scan in short form: `<a k=v`, text, `>`. */
function told(xml: string | Uint8Array, attribute = "k", limits?: Parameters<typeof scanXml>[2]): string {
  let text = "";
  scanXml(
    typeof xml === "string" ? Buffer.from(xml) : xml,
    {
      open: (name, attributes) => {
        const value = attributes.get(attribute);
        text += `<${name}${value === undefined ? "" : ` ${value}`} `;
      },
      close: (name) => {
        text += `${name}>`;
      },
      text: (piece) => {
        text += piece;
      },
    },
    limits,
  );
  return text;
}

const refuses = (reason: string, act: () => unknown) => assert.throws(act, { name: "ReadingError", reason });

describe("reports", () => {
  const cases: readonly (readonly [name: string, xml: string, expected: string])[] = [
    ["elements, text and attributes", `<?xml version="1.0"?><a k="1">x<b k='2'/>y</a>`, "<a 1 x<b 2 b>ya>"],
    ["the five entities and numeric ones", "<a k='&quot;&#65;'>&lt;&amp;&gt;&apos;&#x1F600;</a>", "<a \"A <&>'😀a>"],
    ["signs in values that would end a tag", `<a k="x>y/'"/>`, "<a x>y/' a>"],
    ["literal text, and comments not", "<a><![CDATA[<&>]]><!-- <b> --><?pi <c>?></a>", "<a <&>a>"],
    ["space around", '\n <a\n k = "1"\t></a >\n', "<a 1 a>"],
  ];
  for (const [name, xml, expected] of cases) it(name, () => assert.equal(told(xml), expected));

  it("names with the usual prefix of their namespace, in their scope", () => {
    const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const xml = `<x:p xmlns:x="${word}" x:val="1"><b xmlns="${word}"/><x:t/></x:p>`;
    assert.equal(told(xml, "w:val"), "<w:p 1 <w:b w:b><w:t w:t>w:p>");
  });

  for (const encoding of ["utf-16le", "utf-16be"] as const) {
    it(encoding, () => {
      const bytes = Buffer.from("\ufeff<a>é€</a>", "utf16le");
      assert.equal(told(encoding === "utf-16le" ? bytes : bytes.swap16()), "<a é€a>");
    });
  }

  it("text in other encodings that the file declares", () => {
    assert.equal(told(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', "latin1")), "<a éa>");
  });

  it("files longer than a chunk in the same way as short ones", () => {
    const xml = `<a>${'<b k="é">text</b><!-- - -->'.repeat(40_000)}</a>`;
    assert.equal(told(xml), `<a ${"<b é textb>".repeat(40_000)}a>`);
  });
});

describe("refuses", () => {
  it("document types, so that no entity can be declared and nothing fetched", () => {
    refuses("corrupt", () => told('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'));
    refuses("corrupt", () => told('<!DOCTYPE a SYSTEM "http://127.0.0.1:9/"><a/>'));
    refuses("corrupt", () => told("<a>&b;</a>"));
    refuses("corrupt", () => told("<a>&#0;</a>"));
    refuses("corrupt", () => told("<a>&#xD800;</a>"));
  });

  it("XML that is not well-formed", () => {
    for (const xml of [
      "",
      "text",
      "<a>",
      "<a></b>",
      "</a>",
      "<a/><b/>",
      "<a/>x",
      "<a k=1/>",
      "<a k/>",
      "<a <b/>",
      "<>",
      "<a",
    ]) {
      refuses("corrupt", () => told(xml));
    }
  });

  it("too much depth, too many elements, and pieces that are too long", () => {
    const limits = { maxDepth: 10, maxElements: 100 };
    refuses("too_complex", () => told("<a>".repeat(20_000) + "</a>".repeat(20_000)));
    refuses("too_complex", () => told("<a>".repeat(11) + "</a>".repeat(11), "k", limits));
    refuses("too_complex", () => told(`<a>${"<b/>".repeat(100)}</a>`, "k", limits));
    refuses("too_complex", () => told(`<a>${"x".repeat(17 * 2 ** 20)}</a>`));
    const namespaces = Array.from({ length: 600 }, (_, index) => `xmlns:n${index}="u"`).join(" ");
    refuses("too_complex", () => told(`<a ${namespaces}/>`));
  });
});

it("throws only its own errors on any text", () => {
  const pieces = fc.constantFrom(
    "<",
    ">",
    "</",
    "/>",
    "a",
    "b:c",
    " ",
    "=",
    '"',
    "'",
    "&",
    ";",
    "#x",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "xmlns:b",
    "é",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
      try {
        told(list.join(""));
      } catch (error) {
        assert.ok(error instanceof ReadingError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
