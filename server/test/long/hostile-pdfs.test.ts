/** Hostile PDFs are read or refused in time, and the next file is read as usual. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateSync } from "node:zlib";
import { pageText } from "../../src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../src/reading/open-reader.ts";
import { type ProcessReader, ReadingError, type ReadingFailure } from "../../src/reading/reader.ts";
import { makePdf, makePdfOf, onePage, streamOf } from "../../src/reading/testing/make-pdf.ts";
import {
  a4,
  boxed,
  catalog,
  chained,
  counting,
  flatePage,
  font,
  formsOf,
  hello,
  inPlace,
  objectStream,
  onePageObjects,
  pageWith,
  pictured,
  streamTable,
  tableThat,
} from "../helpers/hostile-pdfs.ts";

let folder: string;
let reader: ProcessReader;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
  reader = openReader({ ...defaultReadingSettings, processes: 2 });
});
after(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

/**
 * PDFs by the attack that they contain. `ends` lists the accepted results: a pattern for the text
 * that is read, or a refusal. A refusal as `corrupt` is also accepted, except for the encrypted
 * PDF.
 */
const traps: Record<string, { make: () => Uint8Array; ends: (RegExp | ReadingFailure)[] }> = {
  "page tree nodes that contain themselves": {
    make: () => makePdfOf([catalog, "<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>"]),
    ends: [/^\n*$/, "empty"],
  },
  "page tree nodes that contain their parents": {
    make: () =>
      makePdfOf([
        catalog,
        "<< /Type /Pages /Count 99999999 /Kids [3 0 R 4 0 R] >>",
        `<< /Type /Page /Parent 2 0 R ${a4} /Contents 5 0 R /Resources << ${font} >> >>`,
        "<< /Type /Pages /Parent 2 0 R /Count 99999999 /Kids [2 0 R 4 0 R 3 0 R] >>",
        hello,
      ]),
    ends: [/Hello/],
  },
  "a page whose parents are each other's parents": {
    make: () =>
      makePdfOf([
        catalog,
        "<< /Type /Pages /Count 1 /Kids [3 0 R] /Parent 4 0 R >>",
        "<< /Type /Page /Parent 4 0 R /Contents 5 0 R >>",
        "<< /Type /Pages /Parent 2 0 R /Kids [] >>",
        hello,
      ]),
    ends: [/^(Hello)?$/],
  },
  "a page that is its own parent": {
    make: () =>
      makePdfOf([
        catalog,
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 3 0 R /Contents 4 0 R >>",
        hello,
      ]),
    ends: [/^(Hello)?$/],
  },
  "99,999,999 pages of which there are two": {
    make: () => counting(99_999_999),
    ends: [/^Hello\nHello$/, "too_complex"],
  },
  "a count of a million for two pages": { make: () => counting(1_000_000), ends: [/Hello/, "too_complex"] },
  "4,000 pages of which there are two": { make: () => counting(4_000), ends: [/^Hello\nHello\n*$/] },
  "a negative page count": { make: () => counting(-1), ends: [/^Hello\nHello$/, "empty"] },
  "a thousand chained filters": {
    make: () => flatePage(1_000, Buffer.from("BT /F0 12 Tf 100 700 Td (Hello) Tj ET")),
    ends: [/^(Hello)?$/],
  },
  "a thousand filters on no data": {
    make: () =>
      boxed(a4, streamOf("", `/Filter [${"/ASCIIHexDecode /ASCII85Decode /RunLengthDecode /LZWDecode ".repeat(250)}]`)),
    ends: [/^$/, "empty"],
  },
  "128 MB in a few bytes": {
    make: () => flatePage(2, deflateSync(Buffer.alloc(2 ** 27, " "))),
    ends: [/^$/, "too_complex", "empty"],
  },
  "128 MB of operators": {
    make: () => flatePage(2, Buffer.alloc(2 ** 27, "q ")),
    ends: [/^$/, "too_complex", "empty", "timeout"],
  },
  "a box of a million points": { make: () => boxed("/MediaBox [0 0 1000000 1000000]"), ends: [/^Hello$/] },
  "a box of a million points around an image": {
    make: () =>
      pageWith(
        "/MediaBox [0 0 1000000 1000000] /Resources << /XObject << /I 5 0 R >> >>",
        streamOf("1000000 0 0 1000000 0 0 cm /I Do"),
        streamOf(
          "\0\xff\xff\0",
          "/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        ),
      ),
    ends: [/^$/, "too_complex"],
  },
  "a box of 10^38 points": {
    make: () => boxed(`/MediaBox [0 0 1${"0".repeat(38)} 1${"0".repeat(38)}]`),
    ends: [/Hello|^$/, "too_complex"],
  },
  "a box with infinite coordinates": {
    make: () => boxed(`/MediaBox [-9${"9".repeat(400)} 0 nan inf]`),
    ends: [/Hello|^$/, "too_complex"],
  },
  "a box with swapped corners": { make: () => boxed("/MediaBox [595 842 0 0]"), ends: [/^Hello$/] },
  "a unit of a million points": { make: () => boxed(`${a4} /UserUnit 1000000`), ends: [/^Hello$/, "too_complex"] },
  "a broken JBIG2 image": {
    make: () =>
      pictured(
        "/Width 2000 /Height 2800 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode",
        "\0\0\0\0\x30\0\x01\0\0\0\x13\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff".repeat(50),
      ),
    ends: [/^$/, "too_complex"],
  },
  "a JBIG2 image with endless symbols": {
    make: () =>
      pictured(
        "/Width 60000 /Height 60000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode",
        `\0\0\0\0\x30\0\x01\0\0\0\x13\0\0\xea\x60\0\0\xea\x60\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\x01\xff\xff\xff\xff\0\0\x03\xff\xfd\xff\x02\xfe\xfe\xfe\x7f\xff\xff\xff\x7f\xff\xff\xff${"\x55\xaa".repeat(500)}`,
      ),
    ends: [/^$/, "too_complex", "timeout"],
  },
  "an image of 100,000 by 100,000 pixels in a few bytes": {
    make: () => pictured("/Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB", "x"),
    ends: [/^$/, "too_complex"],
  },
  "an image that is its own mask": {
    make: () => pictured("/Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray /SMask 5 0 R", "\0\xff\xff\0"),
    ends: [/^$/],
  },
  "a form that draws itself": { make: () => formsOf([[5, 1]]), ends: [/^Hello$/] },
  "forms that each draw the next ten times": {
    make: () => formsOf(Array.from({ length: 20 }, (_, index) => [Math.min(index + 6, 24), 10] as const)),
    ends: [/^Hello$/, "timeout", "too_complex"],
  },
  "a cross-reference table that precedes itself": { make: () => tableThat((at) => `/Prev ${at}`), ends: [/^Hello$/] },
  "a cross-reference table whose stream is the table": {
    make: () => tableThat((at) => `/XRefStm ${at}`),
    ends: [/^Hello$/],
  },
  "a cross-reference stream that precedes itself": {
    make: () => streamTable(onePageObjects, inPlace(4), "/Prev HERE"),
    ends: [/^Hello$/],
  },
  "a table that claims a million objects": { make: () => tableThat(() => "/Size 99999999"), ends: [/^Hello$/] },
  "an object stream inside itself": {
    make: () => streamTable([...onePageObjects.slice(0, 3), objectStream("4 0 << >>", 4)], [...inPlace(3), [2, 4]]),
    ends: [/^$/, "empty"],
  },
  "object streams inside each other": {
    make: () =>
      streamTable(
        [
          ...onePageObjects,
          objectStream("6 0 << >>", 4, "/Extends 6 0 R"),
          objectStream("5 0 << >>", 4, "/Extends 5 0 R"),
        ],
        [...inPlace(2), [2, 5], [2, 6], [2, 6], [2, 5]],
      ),
    ends: [/^$/, "empty"],
  },
  "a stream length that refers to itself": {
    make: () =>
      pageWith(
        `${a4} /Resources << ${font} >>`,
        `<< /Length 4 0 R >>\nstream\nBT /F0 12 Tf 100 700 Td (Hello) Tj ET\nendstream`,
      ),
    ends: [/^(Hello)?$/, "empty"],
  },
  "a chain of a hundred thousand references": {
    make: () => pageWith(`${a4} /Resources 5 0 R`, hello, ...chained(100_000), `<< ${font} >>`),
    ends: [/Hello|^$/, "too_complex"],
  },
  "nested arrays": {
    make: () => pageWith(`${a4} /Resources << ${font} >> /Deep ${"[".repeat(200_000)}`, hello),
    ends: [/^(Hello)?$/, "empty", "too_complex"],
  },
  "nested operands": {
    make: () =>
      boxed(a4, streamOf(`${"[".repeat(500_000)} ${"<<".repeat(500_000)} TJ BT /F0 12 Tf 100 700 Td (Hello) Tj ET`)),
    ends: [/^(Hello)?$/, "too_complex", "empty"],
  },
  "a cyclic outline": {
    make: () =>
      makePdfOf([
        "<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>",
        ...onePageObjects.slice(1),
        "<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 99999999 >>",
        "<< /Title (Round) /Parent 5 0 R /Next 6 0 R /First 5 0 R /Dest [3 0 R /Fit] >>",
      ]),
    ends: [/^Hello$/],
  },
  "a cyclic name tree": {
    make: () =>
      makePdfOf([
        "<< /Type /Catalog /Pages 2 0 R /Names << /Dests 5 0 R >> /Outlines 6 0 R >>",
        ...onePageObjects.slice(1),
        "<< /Kids [5 0 R 5 0 R] /Limits [(a) (z)] >>",
        "<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>",
        "<< /Title (Named) /Parent 6 0 R /Dest (m) >>",
      ]),
    ends: [/^Hello$/],
  },
  "cyclic form fields": {
    make: () =>
      makePdfOf([
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        `<< /Type /Page /Parent 2 0 R ${a4} /Contents 4 0 R /Resources << ${font} >> /Annots [5 0 R 5 0 R] >>`,
        hello,
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (b) /Rect [0 0 9 9] /Kids [5 0 R] /Parent 5 0 R /AP << /N 5 0 R >> >>",
      ]),
    ends: [/Hello/],
  },
  "fields that contain each other": {
    make: () =>
      makePdfOf([
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        `<< /Type /Page /Parent 2 0 R ${a4} /Contents 4 0 R /Resources << ${font} >> /Annots [5 0 R] >>`,
        hello,
        "<< /Type /Annot /Subtype /Widget /Parent 6 0 R /AS /Yes /Rect [0 0 9 9] >>",
        ...Array.from({ length: 30 }, (_, at) => {
          const next = 6 + ((at + 1) % 30);
          return `<< /FT /Btn /T (f${at}) /Parent ${next} 0 R /Kids [${next} 0 R ${next} 0 R 5 0 R] >>`;
        }),
      ]),
    ends: [/Hello/],
  },
  "20,000 fields": {
    make: () => {
      const perPage = 2_000;
      const pages = Array.from({ length: 10 }, (_, page) => {
        const widgets = Array.from({ length: perPage }, (_, at) => `${14 + page * perPage + at} 0 R`);
        return `<< /Type /Page /Parent 2 0 R ${a4} /Contents 3 0 R /Resources << ${font} >> /Annots [${widgets.join(" ")}] >>`;
      });
      const fields = Array.from({ length: 10 * perPage }, (_, at) => {
        const [x, y] = [(at % 60) * 9, (Math.floor(at / 60) % 66) * 12];
        return `<< /Type /Annot /Subtype /Widget /FT /Btn /T (f${at}) /AS /Yes /Rect [${x} ${y} ${x + 7} ${y + 7}] >>`;
      });
      const all = fields.map((_, at) => `${14 + at} 0 R`).join(" ");
      return makePdfOf([
        `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${all}] >> >>`,
        `<< /Type /Pages /Count 10 /Kids [${pages.map((_, at) => `${4 + at} 0 R`).join(" ")}] >>`,
        hello,
        ...pages,
        ...fields,
      ]);
    },
    ends: [/Hello/],
  },
  "a password": { make: () => makePdf({ pages: [{ marks: [] }], encrypted: true }), ends: ["encrypted"] },
};

/** Renders the first page of a PDF. Fails on any error other than a `ReadingError`. */
async function shows(name: string): Promise<void> {
  try {
    await reader.renderPage(join(folder, `${name}.pdf`), "pdf", { page: 1, width: 300, format: "png" });
  } catch (error) {
    assert.ok(error instanceof ReadingError, String(error));
  }
}

const sound = onePage({ text: "Sound", x: 100, y: 700 });

async function outcomeOf(bytes: Uint8Array, name: string): Promise<string> {
  const path = join(folder, `${name}.pdf`);
  await writeFile(path, bytes);
  try {
    const { pages } = await reader.read(path, "pdf");
    return `read: ${pages.map(pageText).join("\n")}`;
  } catch (error) {
    assert.ok(error instanceof ReadingError, String(error));
    return error.reason;
  }
}

for (const [name, { make, ends }] of Object.entries(traps))
  test(name, async () => {
    const outcome = await outcomeOf(make(), "trap");
    const expected = ends.some((end) =>
      typeof end === "string" ? outcome === end : outcome.startsWith("read: ") && end.test(outcome.slice(6)),
    );
    assert.ok(expected || (outcome === "corrupt" && name !== "a password"), outcome.slice(0, 200));
    await shows("trap");
    assert.equal(await outcomeOf(sound, "sound"), "read: Sound");
  });
