import assert from "node:assert/strict";
import test from "node:test";
import { type Document, type FormField, pageText } from "../../document.ts";
import { type Mark, makePdfOf, onePage, streamOf } from "../../testing/make-pdf.ts";
import { dictionaryEntries, pairsOfArray, textOfString } from "./dictionary-entries.ts";
import { readPdf } from "./read-pdf.ts";

const font = "/Resources << /Font << /F0 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";

/**
 * Reads a page with these widgets and with texts beside them. The object numbers of the widgets
 * begin at 5.
 */
const read = (widgets: readonly string[], kids = widgets.map((_, at) => at + 5)): Promise<Document> =>
  readPdf(
    makePdfOf([
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /DA (/F0 10 Tf 0 g) >> >>`,
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R ${font} /Annots [${kids.map((kid) => `${kid} 0 R`).join(" ")}] >>`,
      streamOf(
        ["single", "married"].map((text, at) => `BT /F0 10 Tf 40 ${202 - at * 20} Td (${text}) Tj ET`).join("\n"),
      ),
      ...widgets,
    ]),
    { maxPages: 1 },
  );

const widget = (entries: string, row = 0): string =>
  `<< /Type /Annot /Subtype /Widget /Rect [20 ${200 - row * 20} 30 ${210 - row * 20}] ${entries} >>`;

const fieldsOf = ({ pages: [page] }: Document): FormField[] => page?.fields ?? [];
const textOf = ({ pages: [page] }: Document): string => (page ? pageText(page) : "");

test("check boxes become words that show their state, and form fields with the entries from the file", async () => {
  const document = await read([
    widget("/FT /Btn /T (one) /TU (Not married) /V /Off /AS /Off"),
    widget("/FT /Btn /T (two) /V /Yes /AS /Yes", 1),
  ]);
  assert.equal(textOf(document), "☐ single\n☒ married");
  assert.deepEqual(fieldsOf(document), [
    { type: "checkbox", name: "one", tooltip: "Not married", checked: false, box: [20, 90, 30, 100] },
    { type: "checkbox", name: "two", checked: true, exportValue: "Yes", box: [20, 110, 30, 120] },
  ]);
});

test("radio buttons inherit the name and tooltip of their field", async () => {
  const document = await read(
    [
      widget("/Parent 7 0 R /AS /Off"),
      widget("/Parent 7 0 R /AS /b", 1),
      "<< /FT /Btn /Ff 49152 /T (status) /Parent 8 0 R /Kids [5 0 R 6 0 R] >>",
      "<< /T (person) /TU <FEFF004600FC0072> /Kids [7 0 R] >>",
    ],
    [5, 6],
  );
  assert.equal(textOf(document), "☐ single\n☒ married");
  assert.deepEqual(
    fieldsOf(document).map(({ type, name, tooltip, checked }) => [type, name, tooltip, checked]),
    [
      ["radio", "person.status", "Für", false],
      ["radio", "person.status", "Für", true],
    ],
  );
});

test("the options and the value of a choice field are those that viewers show", async () => {
  const document = await read([widget("/FT /Ch /Ff 131072 /T (car) /Opt [[(1) (small)] [(2) (large)]] /V (2)")]);
  const [field] = fieldsOf(document);
  assert.deepEqual([field?.type, field?.value, field?.options], ["choice", "large", ["small", "large"]]);
});

test("push buttons and hidden fields are left out", async () => {
  const document = await read([widget("/FT /Btn /Ff 65536 /T (send)"), widget("/FT /Btn /T (x) /AS /Yes /F 2", 1)]);
  assert.deepEqual(fieldsOf(document), []);
  assert.equal(textOf(document), "single\nmarried");
});

const square = (x: number, y: number): Mark => ({ raw: `${x} ${y} 10 10 re S` });
const cross = (x: number, y: number): Mark => ({
  raw: `${x} ${y} m ${x + 9} ${y + 9} l S ${x} ${y + 9} m ${x + 9} ${y} l S`,
});
const drawn = async (...marks: Mark[]): Promise<string> => textOf(await readPdf(onePage(...marks), { maxPages: 1 }));

test("drawn squares beside text are check boxes with their state", async () => {
  const texts = await drawn(
    { text: "single", x: 60, y: 700 },
    { text: "married", x: 60, y: 680 },
    { text: "divorced", x: 60, y: 660 },
    ...[square(40, 699), square(40, 679), cross(40.5, 679.5), square(40, 659)],
    { text: "X", x: 41.5, y: 660, size: 10 },
  );
  assert.equal(texts, "☐ single\n☒ married\n☒ divorced");
});

test("squares for single letters, and a square around a number, are not check boxes", async () => {
  const texts = await drawn(
    { text: "Postcode", x: 40, y: 700 },
    ...[square(120, 699), square(130, 699), square(140, 699)],
    { text: "Chapter", x: 40, y: 650 },
    square(120, 649),
    { text: "7", x: 122, y: 650, size: 10 },
  );
  assert.equal(texts, "Postcode\nChapter 7");
});

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const { user, system } = process.cpuUsage();
  await work();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1e6;
};

test("only some of 40,000 fields on a page are read, in bounded time", async () => {
  const many = Array.from({ length: 40_000 }, (_, at) => widget(`/FT /Btn /T (f${at}) /AS /Yes`, at % 2));
  let document: Document | undefined;
  assert.ok(
    (await seconds(async () => {
      document = await read(many);
    })) < 20,
  );
  assert.ok(document && fieldsOf(document).length <= 2_000);
});

test("fields that contain each other are read in bounded time", async () => {
  const [first, depth] = [7, 30];
  const chain = Array.from({ length: depth }, (_, at) => {
    const next = at + 1 < depth ? first + at + 1 : 5;
    return `<< /T (level${at}) /Parent ${first + ((at + 1) % depth)} 0 R /Kids [${`${next} 0 R `.repeat(4)}] >>`;
  });
  const widgets = [widget(`/Parent ${first} 0 R /AS /Yes`), widget("/Parent 6 0 R /FT /Btn /AS /Off", 1), ...chain];
  let document: Document | undefined;
  assert.ok(
    (await seconds(async () => {
      document = await read(widgets, [5, 6]);
    })) < 10,
  );
  assert.equal(document && textOf(document), "☒ single\n☐ married");
});

test("a check box with a broken appearance is read", async () => {
  const document = await read(
    [
      widget("/FT /Btn /AS /Yes /AP << /N << /Yes 7 0 R /Off 99 0 R >> >>"),
      widget("/FT /Btn /AS /Off /AP << /N 5 0 R >>", 1),
      streamOf("q q q 1 0 0 ( BT /F9 Tf Do", "/Type /XObject /Subtype /Form /BBox [0 0 0 0]"),
    ],
    [5, 6],
  );
  assert.equal(textOf(document), "☒ single\n☐ married");
});

test("entries of a dictionary are read, whatever surrounds them", () => {
  const text = String.raw`% first
    << /T (a\)b(c)\101) /Kids [1 0 R << /T (inner) >>] /Parent 12 0 R /Ff 32768 /TU <414 2> /V /J#61 >> endobj`;
  const { entries, isComplete } = dictionaryEntries(text);
  assert.equal(isComplete, true);
  const texts = ["T", "TU", "V"].map((key) => textOfString(entries.get(key) ?? ""));
  assert.deepEqual(texts, ["a)b(c)A", "AB", "Ja"]);
  assert.deepEqual([entries.get("Parent"), entries.get("Ff")], ["12 0 R", "32768"]);
  assert.equal(dictionaryEntries("<< /T (open").isComplete, false);
  assert.equal(dictionaryEntries(`<< /Kids ${"[".repeat(60_000)}`).isComplete, false);
  assert.deepEqual(pairsOfArray("[(a) [(1) (b)] <63>]", 10), [
    ["a", "a"],
    ["1", "b"],
    ["c", "c"],
  ]);
});
