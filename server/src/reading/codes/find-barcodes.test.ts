import assert from "node:assert/strict";
import { test } from "node:test";
import sharp, { type Sharp } from "sharp";
import type { Barcode } from "../document.ts";
import { identity } from "../pixels/gray-image.ts";
import { type BarcodeStyle, barcodeImage, onPaper } from "../testing/make-barcodes.ts";
import { grayOf } from "../testing/page-pictures.ts";
import { swissLines, swissPayload } from "../testing/payment-payloads.ts";
import { loadBarcodeLibrary } from "./barcode-library.ts";
import { type FoundBarcode, openBarcodeFinder } from "./find-barcodes.ts";

const finder = openBarcodeFinder();
const find = async (picture: Sharp): Promise<FoundBarcode[]> =>
  finder.find({ image: await grayOf(picture), toPage: identity });

const samples: readonly [BarcodeStyle, Barcode["kind"], string][] = [
  ["qrcode", "qr_code", "https://example.com/pay?id=4711"],
  ["microqrcode", "micro_qr_code", "1234567"],
  ["datamatrix", "data_matrix", "LOT-2026-0815"],
  ["azteccode", "aztec", "M1DOE/JANE E7XKQ2L ZRHLHRLX 0317"],
  ["pdf417", "pdf417", "Shipment 77 of 12 March 2026"],
  ["code128", "code_128", "AWB00340434161094021501"],
  ["code39", "code_39", "SHEAF-39"],
  ["ean13", "ean_13", "4006381333931"],
  ["ean8", "ean_8", "96385074"],
  ["upca", "upc_a", "036000291452"],
  ["interleaved2of5", "itf", "15400141288763"],
];

for (const [style, kind, text] of samples) {
  test(`a code of the kind ${kind} is read in every rotation, and slightly skewed`, async () => {
    const code = await barcodeImage(style, text);
    const page = await onPaper(code, { width: code.width + 300, height: code.height + 300, left: 120, top: 150 });
    const [found, ...more] = await find(page.clone());
    assert.deepEqual([found?.kind, found?.text, more], [kind, text, []]);
    const box = found?.box ?? assert.fail();
    const edges = [120, 150, 120 + code.width, 150 + code.height];
    for (const [at, edge] of edges.entries()) assert.ok(Math.abs((box[at] ?? 0) - edge) <= 6, `${box} and ${edges}`);
    for (const angle of [90, 180, 270, 2.5, -2.5]) {
      const turned = await find(sharp(await page.clone().rotate(angle, { background: "white" }).png().toBuffer()));
      assert.deepEqual(
        turned.map((each) => [each.kind, each.text]),
        [[kind, text]],
        `at ${angle} degrees`,
      );
    }
  });
}

test("several codes of one page are found, from top to bottom", async () => {
  const codes = await Promise.all(samples.slice(0, 3).map(([style, , text]) => barcodeImage(style, text)));
  const inputs = await Promise.all(
    codes.map(async ({ width, height, pixels }, index) => ({
      input: await sharp(pixels, { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer(),
      ...{ left: 60 + index * 40, top: 60 + index * 260 },
    })),
  );
  const paper = sharp({ create: { width: 500, height: 900, channels: 3, background: "white" } });
  const found = await find(sharp(await paper.composite(inputs).png().toBuffer()));
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ["qr_code", "micro_qr_code", "data_matrix"],
  );
});

test("the lines of a payment code keep their numbers", async () => {
  const code = await barcodeImage("qrcode", swissPayload);
  const [found] = await find(await onPaper(code, { width: 900, height: 900, left: 100, top: 100 }));
  assert.deepEqual(found?.text.split("\n"), swissLines);
});

test("data of GS1 are given as people read them", async () => {
  for (const style of ["gs1-128", "gs1datamatrix"] as const) {
    const text = "(01)04012345123456(17)271231(10)ABC123";
    const code = await barcodeImage(style, text);
    const page = await onPaper(code, { width: code.width + 200, height: code.height + 200, left: 100, top: 100 });
    assert.deepEqual(
      (await find(page)).map((each) => each.text),
      [text],
    );
  }
});

test("data that are not text are left out, with a reason", async () => {
  const bytes = Buffer.from(Array.from({ length: 120 }, (_, index) => (index * 37 + 11) & 255));
  const code = await barcodeImage("qrcode", bytes.toString("latin1"), { binary: true });
  const [found] = await find(await onPaper(code, { width: 700, height: 700, left: 60, top: 60 }));
  assert.deepEqual([found?.kind, found?.text, found?.omitted], ["qr_code", "", "binary"]);
});

test("letters of other scripts are read", async () => {
  const text = "Zahlung für Müller & Söhne – 12 €, оплата, 支払い";
  const [found] = await find(
    await onPaper(await barcodeImage("qrcode", text), { width: 500, height: 500, left: 60, top: 60 }),
  );
  assert.equal(found?.text, text);
});

test("images without codes have none: blank, too small, and noise", async () => {
  const noise = new Uint8Array(600 * 800).map((_, index) => (Math.imul(index + 1, 0x9e3779b1) >>> 13) & 255);
  for (const image of [
    { width: 400, height: 300, pixels: new Uint8Array(400 * 300).fill(255) },
    { width: 3, height: 2, pixels: new Uint8Array(6) },
    { width: 600, height: 800, pixels: noise },
  ])
    assert.deepEqual(await finder.find({ image, toPage: identity }), []);
});

test("if the library fails, the image has no codes, and the next image is read by a new instance", async () => {
  let loaded = 0;
  const failing = openBarcodeFinder(async () => {
    const library = await loadBarcodeLibrary();
    return loaded++ === 0
      ? { read: () => library.read({ width: 60_000, height: 60_000, pixels: new Uint8Array(1) }, aim) }
      : library;
  });
  const aim = { formats: ["QRCode"], smaller: true, most: 9 };
  const image = await grayOf(
    await onPaper(await barcodeImage("qrcode", "again"), { width: 300, height: 300, left: 60, top: 60 }),
  );
  assert.deepEqual(await failing.find({ image, toPage: identity }), []);
  assert.deepEqual(
    (await failing.find({ image, toPage: identity })).map(({ text }) => text),
    ["again"],
  );
  assert.equal(loaded, 2);
});

test("if the library can't be loaded, no codes are found", async () => {
  const without = openBarcodeFinder(() => Promise.reject(new Error("not installed")));
  const image = { width: 50, height: 50, pixels: new Uint8Array(2500) };
  assert.deepEqual(await without.find({ image, toPage: identity }), []);
});
