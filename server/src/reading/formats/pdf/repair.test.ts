import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pageText } from "../../document.ts";
import { ReadingError } from "../../reader.ts";
import { makePdf, onePage } from "../../testing/make-pdf.ts";
import { readPdf } from "./read-pdf.ts";
import { newTrailer } from "./repair.ts";

const limits = { maxPages: 10 };
const sound = Buffer.from(onePage({ text: "Still here", x: 100, y: 700 }));
const textOf = async (file: Uint8Array) => (await readPdf(file, limits)).pages.map(pageText);

test("a file whose trailer is damaged is read", async () => {
  const trailer = sound.lastIndexOf("trailer");
  assert.ok(trailer > 0);
  const broken = Buffer.concat([sound.subarray(0, trailer), Buffer.from("trailer\n<</Root 1 0 R/ID [<9\u00a4e(")]);
  assert.deepEqual(await textOf(broken), ["Still here"]);
});

test("a file that is cut before its objects end is read partly, or refused", async () => {
  const cut = sound.subarray(0, sound.indexOf("endobj") + 6);
  await assert.rejects(readPdf(cut, limits), ReadingError);
});

test("an encrypted file or one without a catalog is not repaired", () => {
  assert.equal(newTrailer(Buffer.from("1 0 obj <</Type/Pages>> endobj")), undefined);
  assert.equal(newTrailer(Buffer.from(makePdf({ pages: [{ marks: [] }], encrypted: true }))), undefined);
});

test("any bytes give a trailer or none", () => {
  const pieces = fc.constantFrom(
    "1 0 obj",
    " obj",
    "<</Type/Catalog/Pages 2 0 R>>",
    "endobj",
    "99999999999 0 obj",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
      const trailer = newTrailer(Buffer.from(parts.join(" "), "latin1"));
      assert.ok(trailer === undefined || Buffer.from(trailer).includes("/Root"));
    }),
  );
});
