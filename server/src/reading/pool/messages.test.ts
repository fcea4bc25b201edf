import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Page } from "../document.ts";
import { isMetadata, isOutline, type PackedPage, packPage, unpackPage } from "./messages.ts";

const page: Page = {
  number: 3,
  width: 595.28,
  height: 841.89,
  rotation: 90,
  source: "ocr",
  geometry: "flow",
  words: [
    { text: "Σύνολο", box: [1.25, 2, 30.5, 12.75], size: 9.5, bold: true, confidence: 0.93 },
    { text: "12,00", box: [40, 2, 60, 12] },
    { text: "RF18", box: [70, 2, 90, 22] },
  ],
  lines: [
    { box: [1.25, 2, 60, 12.75], start: 0, end: 2 },
    { box: [70, 2, 90, 22], start: 2, end: 3 },
  ],
  blocks: [{ kind: "table", box: [1.25, 2, 60, 12.75], start: 0, end: 1 }],
  tables: [
    {
      box: [1, 2, 60, 13],
      rows: 1,
      columns: 2,
      headerRows: 0,
      ruled: true,
      cells: [
        { row: 0, column: 0, rowSpan: 1, columnSpan: 1, box: [1, 2, 35, 13], words: [0] },
        { row: 0, column: 1, rowSpan: 1, columnSpan: 1, box: [35, 2, 60, 13], words: [1] },
      ],
    },
  ],
  fields: [
    { type: "checkbox", box: [1, 2, 9, 10], checked: true, name: "a.b", tooltip: "A box", exportValue: "Yes" },
    { type: "choice", box: [1, 12, 60, 22], value: "large", options: ["small", "large"] },
  ],
  barcodes: [
    { kind: "qr_code", text: "RF18", box: [70, 2, 90, 22], start: 2, end: 3 },
    { kind: "aztec", text: "", box: [70, 32, 90, 52], start: 3, end: 3, omitted: "binary" },
  ],
};

test("a page is equal after packing and unpacking", () => {
  assert.deepEqual(unpackPage(structuredClone(packPage(page))), page);
});

test("an invalid page is rejected", () => {
  const packed = packPage(page);
  const unsound: Partial<PackedPage>[] = [
    { number: 1.5 },
    { width: Number.NaN },
    { rotation: 45 },
    { source: "guess" },
    { geometry: "curved" },
    { confidences: new Uint8Array(1) },
    { text: "one word only\n" },
    { words: new Int32Array(3) },
    { lines: Int32Array.of(0, 0, 0, 0, 0, 9) },
    { lines: Int32Array.of(0, 0, 0, 0, 1, 2) },
    { blocks: Int32Array.of(0, 0, 0, 0, 0, 1, 7) },
    { tables: [{ frame: Int32Array.of(0, 0, 0, 0, 1, 1, 0, 0), cells: Int32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 99) }] },
    { tables: [{ frame: Int32Array.of(0, 0, 0, 0, 1, 1, 0, 0), cells: Int32Array.of(0, 0, 0, 0, 0, 0, 1, 5, 0) }] },
  ];
  const box = [0, 0, 1, 1] as const;
  const code = { kind: "itf", text: "12", box, start: 2, end: 3 } as const;
  unsound.push(
    { barcodes: [{ ...code, kind: "cross" as never }] },
    { barcodes: [{ ...code, text: "1".repeat(3_001) }] },
    { barcodes: [{ ...code, start: 1, end: 2 }] },
    { barcodes: [code, code] },
    { barcodes: [{ ...code, omitted: "secret" as never }] },
    { barcodes: Array.from({ length: 65 }, () => ({ ...code, start: 3 })) },
  );
  const unsoundFields = [
    { type: "button", box },
    { type: "text", box: [0, 0, 1] },
    { type: "text", box: [0, 0, 1, Number.NaN] },
    { type: "text", box, value: "x".repeat(5_000) },
    { type: "checkbox", box, checked: 1 },
    { type: "choice", box, options: ["small", 7] },
  ] as unknown as PackedPage["fields"];
  unsound.push(...unsoundFields.map((field) => ({ fields: [field] })));
  unsound.push({ fields: Array.from({ length: 3_000 }, () => ({ type: "text", box })) });
  for (const change of unsound) assert.throws(() => unpackPage({ ...packed, ...change }), TypeError);
});

test("random input throws and has no other effect", () => {
  const good = packPage(page);
  const keys = Object.keys(good) as (keyof PackedPage)[];
  fc.assert(
    fc.property(
      fc.constantFrom(...keys),
      fc.anything({ withTypedArray: true, withNullPrototype: true }),
      (key, value) => {
        try {
          unpackPage({ ...good, [key]: value } as PackedPage);
        } catch (error) {
          assert.ok(error instanceof TypeError);
        }
      },
    ),
  );
});

test("metadata and outline are checked", () => {
  assert.ok(isMetadata({ Title: "x" }));
  assert.ok(!isMetadata({ Title: 5 }) && !isMetadata(null));
  assert.ok(isOutline([{ title: "x", page: null, level: 1 }]));
  assert.ok(!isOutline([{ title: "x", page: "1", level: 1 }]) && !isOutline({}));
});
