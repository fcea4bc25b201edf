import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lineText, type Page, pageText, type Table } from "../../document.ts";
import { type DocxParts, makeDocx, paragraph, styled, wordTable } from "../../testing/make-office.ts";
import { defaultDocxLimits } from "./model.ts";
import { openDocx, readDocx } from "./read-docx.ts";

const pagesOf = (parts: DocxParts | string): Page[] =>
  readDocx(makeDocx(typeof parts === "string" ? { body: parts } : parts)).pages;
const textsOf = (parts: DocxParts | string): string[] => pagesOf(parts).map(pageText);

function cellTexts(page: Page | undefined, table: Table | undefined): string[] {
  return table?.cells.map(({ words }) => words.map((word) => page?.words[word]?.text).join(" ")) ?? [];
}

const run = (content: string, properties = "") =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}${content}</w:r>`;
const text = (value: string) => `<w:t xml:space="preserve">${value}</w:t>`;
const field = (code: string, result: string) =>
  `${run('<w:fldChar w:fldCharType="begin"/>')}${run(`<w:instrText>${code}</w:instrText>`)}${run('<w:fldChar w:fldCharType="separate"/>')}${run(text(result))}${run('<w:fldChar w:fldCharType="end"/>')}`;

describe("runs", () => {
  const cases: readonly (readonly [name: string, content: string, expected: string])[] = [
    ["words that run over several runs", run(text("Hel")) + run(text("lo you")), "Hello you"],
    [
      "deleted and moved text out, inserted in",
      `<w:del>${run("<w:delText>no</w:delText>")}</w:del><w:ins>${run(text("yes"))}</w:ins><w:moveFrom>${run(text("old"))}</w:moveFrom><w:moveTo>${run(text(" new"))}</w:moveTo>`,
      "yes new",
    ],
    [
      "hidden text out",
      run(text("a ")) + run(text("secret "), "<w:vanish/>") + run(text("b"), '<w:vanish w:val="0"/>'),
      "a b",
    ],
    ["symbols", run('<w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F061"/>'), "☑α"],
    ["hyphens", run(`${text("co")}<w:noBreakHyphen/>${text("op")}<w:softHyphen/>${text("erate")}`), "co-operate"],
    ["tabs part words", run(`${text("a")}<w:tab/>${text("b")}`), "a b"],
    ["line ends", run(`${text("a")}<w:br/>${text("b")}<w:cr/>${text("c")}`), "a\nb\nc"],
    [
      "results of fields, not their codes",
      `${field(' HYPERLINK "http://x" ', "the link")}${run(text("."))}`,
      "the link.",
    ],
    [
      "fields inside of fields",
      `${run('<w:fldChar w:fldCharType="begin"/>')}${field("PAGE", "7")}${run('<w:fldChar w:fldCharType="separate"/>')}${run(text("shown"))}${run('<w:fldChar w:fldCharType="end"/>')}`,
      "shown",
    ],
    ["simple fields", `<w:fldSimple w:instr="AUTHOR">${run(text("Ada"))}</w:fldSimple>`, "Ada"],
    [
      "hyperlinks and smart tags",
      `<w:hyperlink>${run(text("a"))}</w:hyperlink><w:smartTag><w:smartTagPr/>${run(text(" b"))}</w:smartTag>`,
      "a b",
    ],
    [
      "check boxes of content controls",
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(text("x"))}</w:sdtContent></w:sdt>${run(text(" paid"))}`,
      "☑ paid",
    ],
    [
      "chosen entries",
      `<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:value="no"/></w:dropDownList></w:sdtPr><w:sdtContent>${run(text("Yes"))}</w:sdtContent></w:sdt>`,
      "Yes",
    ],
    [
      "old form fields",
      run(
        '<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar>',
      ) +
        run("<w:instrText>FORMCHECKBOX</w:instrText>") +
        run('<w:fldChar w:fldCharType="end"/>'),
      "☑",
    ],
    [
      "formulas",
      `<m:oMath><m:r><m:t>x</m:t></m:r><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>`,
      "x1/2",
    ],
    [
      "the base of ruby text",
      `<w:r><w:ruby><w:rt>${run(text("kan"))}</w:rt><w:rubyBase>${run(text("漢"))}</w:rubyBase></w:ruby></w:r>`,
      "漢",
    ],
    [
      "comments out",
      `<w:commentRangeStart w:id="1"/>${run(text("a"))}<w:commentRangeEnd w:id="1"/>${run('<w:commentReference w:id="1"/>')}`,
      "a",
    ],
    ["right-to-left text in logical order", run(text("שלום עולם"), "<w:rtl/>"), "שלום עולם"],
  ];
  for (const [name, content, expected] of cases) {
    it(name, () => assert.deepEqual(textsOf(`<w:p>${content}</w:p>`), [expected]));
  }

  it("shows one of alternative contents, once", () => {
    const box = (words: string) => `<w:txbxContent>${paragraph(words)}</w:txbxContent>`;
    const drawn = `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box("in the box")}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box("in the box")}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent>`;
    assert.deepEqual(textsOf(`<w:p>${run(text("beside"))}${run(drawn)}</w:p>`), ["beside\nin the box"]);
  });

  it("knows the namespaces whatever their prefixes", () => {
    const document =
      '<n:document xmlns:n="http://purl.oclc.org/ooxml/wordprocessingml/main"><n:body><n:p><n:r><n:t>strict</n:t></n:r></n:p></n:body></n:document>';
    assert.deepEqual(textsOf({ body: "", others: { "word/document.xml": document } }), ["strict"]);
  });
});

describe("headings and lists", () => {
  const styles = `<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>
    <w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>`;
  const level = (index: number, format: string, pattern: string) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`;
  const numbering = `<w:abstractNum w:abstractNumId="5">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "%1.%2)")}</w:abstractNum>
    <w:abstractNum w:abstractNumId="6">${level(0, "bullet", "\uf0b7")}</w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num>
    <w:num w:numId="2"><w:abstractNumId w:val="6"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="5"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`;
  const item = (words: string, list: number, index = 0) =>
    paragraph(words, `<w:numPr><w:ilvl w:val="${index}"/><w:numId w:val="${list}"/></w:numPr>`);

  it("recognizes headings by their style in any language, and styles based on it", () => {
    const body =
      styled("Chapter", "berschrift1") + paragraph("Text") + styled("Part", "Mine") + styled("Plain", "Loop");
    const document = readDocx(makeDocx({ styles, body }));
    assert.deepEqual(
      document.pages[0]?.blocks.map(({ kind }) => kind),
      ["heading", "paragraph", "heading", "paragraph"],
    );
    assert.deepEqual(document.outline, [
      { title: "Chapter", page: 1, level: 1 },
      { title: "Part", page: 1, level: 1 },
    ]);
    assert.deepEqual(
      document.pages[0]?.words.map(({ size, bold }) => [size, bold]),
      [
        [16, true],
        [10, undefined],
        [16, true],
        [10, undefined],
      ],
    );
  });

  it("counts as Word counts", () => {
    const body = [
      item("a", 1),
      item("b", 1, 1),
      item("c", 1, 1),
      item("d", 1),
      item("e", 1, 1),
      item("f", 2),
      item("g", 3),
      item("h", 3),
    ];
    const [page] = pagesOf({ numbering, body: body.join("") });
    assert.equal(page && pageText(page), "1. a\n1.a) b\n1.b) c\n2. d\n2.a) e\n• f\n7. g\n8. h");
    assert.ok(page?.blocks.every(({ kind }) => kind === "list"));
  });
});

describe("tables", () => {
  const cell = (words: string, properties: string) => `<w:tcPr>${properties}</w:tcPr>${paragraph(words)}`;

  it("are read row by row, with their cells on the grid", () => {
    const body = wordTable([
      ["Name", "Price"].map((words) => paragraph(words)),
      ["Tea", "2.50"].map((words) => paragraph(words)),
    ]);
    const [page] = pagesOf(body);
    assert.equal(page && pageText(page), "Name Price\nTea 2.50");
    const [table] = page?.tables ?? [];
    assert.deepEqual([table?.rows, table?.columns, table?.headerRows], [2, 2, 1]);
    assert.deepEqual(cellTexts(page, table), ["Name", "Price", "Tea", "2.50"]);
    const [name, price, tea] = table?.cells ?? [];
    assert.ok(
      name && price && tea && name.box[2] <= price.box[0] && name.box[3] <= tea.box[1] && name.box[0] === tea.box[0],
    );
  });

  it("keep merged cells", () => {
    const rows = [
      [cell("both", '<w:gridSpan w:val="2"/>'), cell("tall", '<w:vMerge w:val="restart"/>')],
      [cell("a", ""), cell("b", ""), cell("", "<w:vMerge/>")],
    ];
    const [page] = pagesOf(wordTable(rows));
    assert.deepEqual(
      page?.tables[0]?.cells.map(({ row, column, rowSpan, columnSpan }) => [row, column, rowSpan, columnSpan]),
      [
        [0, 0, 1, 2],
        [0, 2, 2, 1],
        [1, 0, 1, 1],
        [1, 1, 1, 1],
      ],
    );
  });

  it("may be nested: the outer cell has the inner words, too", () => {
    const inner = wordTable([
      [paragraph("x"), paragraph("1")],
      [paragraph("y"), paragraph("2")],
    ]);
    const [page] = pagesOf(wordTable([[inner, paragraph("right")]]));
    assert.equal(page?.tables.length, 2);
    const outer = page?.tables.find(({ rows }) => rows === 1);
    assert.deepEqual(cellTexts(page, outer), ["x 1 y 2", "right"]);
  });

  it("drop deleted rows and count stated header rows", () => {
    const kept = wordTable([[paragraph("head")], [paragraph("head 2")], [paragraph("body")]]);
    const body = kept
      .replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>")
      .replace(
        '<w:tr><w:tc><w:p><w:r><w:t xml:space="preserve">head 2',
        '<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t xml:space="preserve">head 2',
      );
    const [page] = pagesOf(body);
    assert.equal(page && pageText(page), "head\nbody");
    assert.equal(page?.tables[0]?.headerRows, 1);
  });
});

describe("pages", () => {
  const broken = run('<w:br w:type="page"/>');
  const rendered = run("<w:lastRenderedPageBreak/>");

  it("end at breaks, each once", () => {
    const body = `<w:p>${run(text("one"))}${broken}</w:p><w:p>${rendered}${run(text("two"))}${rendered}${run(text(" three"))}</w:p>${paragraph("four", "<w:pageBreakBefore/>")}`;
    assert.deepEqual(textsOf(body), ["one", "two", "three", "four"]);
  });

  it("end where sections do, unless they are continuous", () => {
    const section = (type: string) => `<w:sectPr><w:type w:val="${type}"/><w:pgSz w:w="6000" w:h="8000"/></w:sectPr>`;
    const body =
      paragraph("a", section("nextPage")) +
      paragraph("b", section("continuous")) +
      paragraph("c") +
      section("nextPage");
    const pages = pagesOf(body);
    assert.deepEqual(pages.map(pageText), ["a\nb", "c"]);
    assert.deepEqual(
      pages.map(({ width, height }) => [width, height]),
      [
        [300, 400],
        [300, 400],
      ],
    );
  });

  it("end within tables where Word recorded it", () => {
    const row = (words: string, before = "") => [`<w:p>${before}${run(text(words))}</w:p>`];
    assert.deepEqual(textsOf(wordTable([row("a"), row("b", rendered), row("c")])), ["a", "b\nc"]);
  });

  it("show the headers and footers of their section", () => {
    const parts: DocxParts = {
      body: `${paragraph("one")}<w:p>${broken}</w:p>${paragraph("two")}<w:p>${broken}</w:p>${paragraph("three")}<w:sectPr><w:headerReference w:type="default" r:id="h1"/><w:headerReference w:type="first" r:id="h2"/><w:headerReference w:type="even" r:id="h3"/><w:footerReference w:type="default" r:id="f1"/><w:titlePg/></w:sectPr>`,
      settings: "<w:evenAndOddHeaders/>",
      headers: { h1: paragraph("odd"), h2: paragraph("first"), h3: paragraph("even") },
      footers: { f1: `<w:p>${run(text("Page "))}${field(" PAGE ", "1")}</w:p>` },
    };
    assert.deepEqual(textsOf(parts), ["first\none", "even\ntwo", "odd\nthree\nPage 3"]);
  });

  it("hold the notes that they refer to", () => {
    const note = (id: number, words: string) =>
      `<w:footnote w:id="${id}"><w:p>${run("<w:footnoteRef/>")}${run(text(words))}</w:p></w:footnote>`;
    const refer = (id: number) => run(`<w:footnoteReference w:id="${id}"/>`);
    const parts: DocxParts = {
      body: `<w:p>${run(text("first"))}${refer(9)}${broken}${run(text("second"))}${refer(4)}${run('<w:endnoteReference w:id="1"/>')}</w:p>`,
      footnotes: `<w:footnote w:type="separator" w:id="0">${paragraph("line")}</w:footnote>${note(4, "note four")}${note(9, "note nine")}`,
      endnotes: `<w:endnote w:id="1"><w:p>${run("<w:endnoteRef/>")}${run(text("the end"))}</w:p></w:endnote>`,
    };
    assert.deepEqual(textsOf(parts), ["first 1\n1 note nine", "second 2 i\n2 note four\ni the end"]);
  });

  it("are laid out as displayed: labels left of values, columns at tabs", () => {
    const [page] = pagesOf(`<w:p>${run(`${text("Total:")}<w:tab/>${text("12.00")}`)}</w:p>${paragraph("below")}`);
    const [label, value, below] = page?.words ?? [];
    assert.ok(label && value && below);
    assert.ok(label.box[2] < value.box[0] && label.box[1] === value.box[1] && below.box[1] > label.box[1]);
    assert.equal(page?.geometry, "flow");
  });

  it("run from right to left if the text does", () => {
    const [page] = pagesOf(paragraph("שלום עולם", "<w:bidi/>"));
    const [first, second] = page?.words ?? [];
    assert.ok(first && second && first.box[0] > second.box[2]);
  });

  it("wrap long text, in consecutive ranges", () => {
    const [page] = pagesOf(paragraph("word ".repeat(300)) + paragraph("end"));
    assert.ok(page && page.lines.length > 10 && page.blocks.length === 2);
    assert.ok(page.lines.every((line, index) => line.start === (page.lines[index - 1]?.end ?? 0)));
    assert.ok(page.words.every(({ box }) => box[0] >= 0 && box[2] <= page.width));
    assert.equal(
      page.lines
        .map((line) => lineText(page, line))
        .join(" ")
        .split(" ").length,
      301,
    );
  });
});

describe("limits", () => {
  const tooComplex = { name: "ReadingError", reason: "too_complex" };

  it("refuses more pages than allowed", () => {
    const body = `<w:p>${run('<w:br w:type="page"/>'.repeat(20))}</w:p>`;
    assert.throws(() => openDocx(makeDocx({ body }), { ...defaultDocxLimits, maxPages: 10 }), tooComplex);
  });

  it("refuses headers that are repeated too often", () => {
    const body = `<w:p>${run('<w:br w:type="page"/>'.repeat(50))}</w:p><w:sectPr><w:headerReference r:id="h1"/></w:sectPr>`;
    const bytes = makeDocx({ body, headers: { h1: paragraph("word ".repeat(1000)) } });
    assert.throws(() => readDocx(bytes, { ...defaultDocxLimits, maxCharacters: 100_000 }), tooComplex);
  });

  it("refuses too many paragraphs", () => {
    const body = paragraph("a").repeat(50);
    assert.throws(() => openDocx(makeDocx({ body }), { ...defaultDocxLimits, maxParts: 99 }), tooComplex);
    assert.equal(openDocx(makeDocx({ body }), { ...defaultDocxLimits, maxParts: 100 }).pages, 1);
    const runs = "<w:r><w:t>a</w:t></w:r>".repeat(260_000);
    assert.throws(() => openDocx(makeDocx({ body: `<w:p>${runs}</w:p>` })), tooComplex);
  });

  it("refuses tables nested too deeply", () => {
    const depth = 20_000;
    const body = "<w:tbl><w:tr><w:tc>".repeat(depth) + "</w:tc></w:tr></w:tbl>".repeat(depth);
    assert.throws(() => openDocx(makeDocx({ body })), tooComplex);
  });

  it("reads a file without text, and refuses one that is not a docx", () => {
    assert.deepEqual(
      readDocx(makeDocx({ body: "<w:p/>" })).pages.map((page) => page.words),
      [[]],
    );
    assert.throws(() => openDocx(makeDocx({ body: "", others: { "word/document.xml": "<a/>" } })), {
      name: "ReadingError",
      reason: "corrupt",
    });
  });
});

it("returns metadata", () => {
  const others = {
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    "docProps/core.xml": `<c:coreProperties xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:d="http://purl.org/dc/elements/1.1/"><d:title> A title </d:title><d:creator/></c:coreProperties>`,
  };
  assert.deepEqual(readDocx(makeDocx({ body: paragraph("a"), others })).metadata, { Title: "A title" });
});
