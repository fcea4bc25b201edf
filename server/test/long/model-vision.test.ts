/**
 * Extraction with a language model that accepts images: the pages that are sent, and the values
 * that are kept.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import type { Rule } from "../../../bench/scripted-model/rules.ts";
import { type ScriptedModel, startScriptedModel } from "../../../bench/scripted-model/server.ts";
import { makePdf } from "../../src/reading/testing/make-pdf.ts";
import { pictureOf, receiptPdf } from "../../src/reading/testing/page-pictures.ts";
import { answering } from "../helpers/scripted-model.ts";
import { openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

/**
 * A poorly printed receipt. OCR reads "14 Harbour Sreet. Bristol", "20417", no date, and "22.95"
 * without a readable label.
 */
const poor = await readFile(join(import.meta.dirname, "../fixtures/poor-receipt.jpg"));
const [columns, rows] = [830, 1162];
const said: Record<string, { value: unknown; quote: string }> = {
  address: { value: "14 Harbour Street, Bristol", quote: "14 Harbour Street, Bristol" },
  total: { value: 22.95, quote: "Total amount 22.95" },
  date: { value: "2025-03-23", quote: "Date 23 March 2025" },
  number: { value: "20417", quote: "Invoice number 20417" },
};
const params = [
  { name: "address", format: "text", description: "Address of the shop" },
  { name: "total", format: "number", description: "Total amount" },
  { name: "date", format: "date", description: "Date of the receipt" },
  { name: "number", format: "text", description: "Number of the invoice" },
];

/**
 * Returns a rule that responds with the same values to any image. It places each value on the last
 * page that the request names.
 */
const reading =
  (changed: typeof said = {}): Rule =>
  ({ schema, prompt }) => {
    const page = Number([...prompt.matchAll(/\[page (\d+)\]/g)].at(-1)?.[1]);
    const names = Object.keys((schema as { properties: object }).properties);
    return Object.fromEntries(names.map((name) => [name, { ...(changed[name] ?? said[name]), page }]));
  };

let model: ScriptedModel;
let service: TestService;
let organization: TestOrganization;
const settings = (vision: string) => ({
  ...{ ENGINE: "model", MODEL_URL: model.url, MODEL_NAME: "scripted", MODEL_VISION: vision },
});
before(async () => {
  model = await startScriptedModel({ rule: reading() });
  service = await openTestService("sqlite", settings("on"));
  organization = await service.organization("Seeing");
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await model.close();
});

async function extract(filename: string, file: Uint8Array, of = organization) {
  const body = { filename, file: Buffer.from(file).toString("base64"), params, include: ["evidence"] };
  const answer = await of.administrator.send("POST", "/v2/extractor", body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { data: answer.body.data[0], evidence: answer.body.metadata.evidence[0] };
}

interface Part {
  type: string;
  image_url?: { url: string };
}
const imagesOf = (body: Record<string, unknown> = {}): Buffer[] =>
  (body.messages as { content: string | Part[] }[])
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .flatMap(({ image_url }) => (image_url ? [Buffer.from(image_url.url.split(",")[1] ?? "", "base64")] : []));

const grayOf = (picture: Uint8Array) =>
  sharp(picture)
    .resize({ width: 120, height: 168, fit: "fill" })
    .toColourspace("b-w")
    .extractChannel(0)
    .raw()
    .toBuffer();
async function difference(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [one, other] = [await grayOf(a), await grayOf(b)];
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

/** Returns a PDF with a page of 300 by 420 points that is an image. */
async function scanned(picture: Uint8Array) {
  const gray = await sharp(picture).toColourspace("b-w").extractChannel(0).raw().toBuffer();
  const image = `q 300 0 0 420 0 0 cm BI /W ${columns} /H ${rows} /CS /G /BPC 8 /F /AHx ID ${gray.toString("hex")}> EI Q`;
  return { marks: [{ raw: image }], mediaBox: [0, 0, 300, 420] as const };
}

test("the model gets an image of only that page of a PDF whose OCR is poor", async () => {
  const lines = ["Minutes of the meeting", "Nothing was decided about the bakery", "The chair thanked all members"];
  const marks = [...lines, ...lines, ...lines].map((text, at) => ({ text, x: 30, y: 370 - 36 * at, size: 12 }));
  const clear = await (await pictureOf(receiptPdf(marks), columns)).png().toBuffer();
  const text = { marks: [{ text: "A page of text that needs no picture", x: 60, y: 700 }] };
  const empty = await sharp({ create: { width: columns, height: rows, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  const pdf = makePdf({ pages: [text, await scanned(clear), await scanned(empty), await scanned(poor)] });
  const { data, evidence } = await extract("papers.pdf", pdf);
  const received = model.received.at(-1);
  const [image, ...others] = imagesOf(received?.body);
  assert.ok(image);
  assert.deepEqual(others, []);
  const { width, height, format } = await sharp(image).metadata();
  assert.deepEqual([width, height, format], [1143, 1600, "png"]);
  assert.ok((await difference(image, poor)) < 5 && (await difference(image, clear)) > 5);
  assert.match(JSON.stringify(received?.body.messages), /text of page 4 was recognized poorly/);
  assert.equal(data.total, 22.95);
  assert.equal(evidence.total.page, 4);
});

test("a value that the model reads is kept if it is similar to the OCR text, and marked as inferred", async () => {
  const { data, evidence } = await extract("receipt.jpg", poor);
  // OCR reads neither the day nor the month, so the model's date cannot be confirmed.
  assert.deepEqual(data, { address: "14 Harbour Street, Bristol", total: 22.95, date: null, number: "20417" });
  const shown = ({ quote, match }: { quote: string; match: string }) => [quote, match];
  assert.deepEqual(shown(evidence.address), ["14 Harbour Sreet. Bristol", "inferred"]);
  assert.deepEqual([evidence.total.quote, evidence.number.quote], ["22.95", "20417"]);
  assert.ok(evidence.address.confidence < 0.7);
  const { width, height } = await sharp(imagesOf(model.received.at(-1)?.body)[0]).metadata();
  assert.deepEqual([width, height], [columns, rows]);
});

test("a value that contradicts the OCR text is dropped", async () => {
  const invented = {
    address: { value: "12 Harbour Street, Bristol", quote: "12 Harbour Street, Bristol" },
    total: { value: 22.96, quote: "Total amount 22.96" },
    date: { value: "2026-04-01", quote: "paid on 1 April 2026" },
    number: { value: "20471", quote: "Invoice number 20471" },
  };
  const { data } = await answering(model, reading(invented), () => extract("receipt.jpg", poor));
  assert.deepEqual(data, { address: null, total: null, date: null, number: null });
});

test("each model call is recorded with the size and the hash of its request, and without images", async () => {
  const calls = await service.db.selectFrom("model_calls").selectAll().execute();
  assert.ok(calls.length > 0);
  assert.doesNotMatch(JSON.stringify(calls), /iVBOR|base64|image/);
  assert.deepEqual(
    calls.map(({ bytes, sha256 }) => [Number(bytes), sha256]),
    model.received.map(({ bytes, sha256 }) => [bytes, sha256]),
  );
});

test("a model that does not accept images gets none, and its values must match the OCR text exactly", async () => {
  await using blind = await openTestService("sqlite", settings("off"));
  const { data } = await extract("receipt.jpg", poor, await blind.organization("Blind"));
  assert.deepEqual(imagesOf(model.received.at(-1)?.body), []);
  assert.deepEqual([data.address, data.total], [null, null]);
});

test("with auto the model gets the image of the whole page, not only uncertain lines", async () => {
  await using careful = await openTestService("sqlite", { ...settings("on"), ENGINE: "auto" });
  const { data } = await extract("receipt.jpg", poor, await careful.organization("Careful"));
  assert.equal(imagesOf(model.received.at(-1)?.body).length, 1);
  assert.deepEqual([data.address, data.total], ["14 Harbour Street, Bristol", 22.95]);
});
