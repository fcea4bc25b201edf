/**
 * Documents of one layout, for tests of learning. No label resembles the name or description of a
 * field, so values are found only by learning.
 */
import { onePage } from "../../src/reading/testing/make-pdf.ts";

/** Fields of an extractor that is to learn the layout. */
export const ledgerParams = [
  { name: "reference", format: "text", description: "What we call it", items: [] },
  { name: "worth", format: "number", description: "What it is worth to us", items: [] },
];

export interface LedgerContent {
  reference: string;
  worth: string;
  rows: readonly (readonly [what: string, many: string])[];
}

export const firstLedger: LedgerContent = {
  reference: "QX-104/B",
  worth: "77.20",
  rows: [
    ["Hinge", "4"],
    ["Bolt", "12"],
  ],
};
export const nextLedger: LedgerContent = {
  reference: "RM-993/C",
  worth: "1,402.55",
  rows: [
    ["Washer", "9"],
    ["Plate", "3"],
    ["Rail", "21"],
  ],
};

type PlacedText = [x: number, y: number, text: string];

/** Height of a page in points. PDF coordinates start at the bottom. */
const height = 792;

/** Returns a PDF of one page with the texts. `y` counts from the top of the page. */
export const placedText = (texts: readonly PlacedText[]): Buffer =>
  Buffer.from(onePage(...texts.map(([x, y, text]) => ({ text, x, y: height - y, size: 10 }))));

/** Returns a PDF, always with the same layout. */
export const ledgerPdf = ({ reference, worth, rows }: LedgerContent): Buffer =>
  placedText([
    [60, 60, "Harbour Supplies"],
    [60, 80, "Quay 7, Westport"],
    [360, 60, "Ledger sheet"],
    [60, 130, "Folio"],
    [160, 130, reference],
    [360, 130, "Issued by hand"],
    [60, 180, "Article"],
    [300, 180, "Pieces"],
    [420, 180, "Shelf"],
    ...rows.flatMap(([what, many], row): PlacedText[] => [
      [60, 200 + 18 * row, what],
      [300, 200 + 18 * row, many],
      [420, 200 + 18 * row, `S${row + 1}`],
    ]),
    [300, 420, "Tally"],
    [420, 420, worth],
    [60, 460, "Return within a fortnight"],
    [60, 700, "Harbour Supplies keeps the copy"],
  ]);
