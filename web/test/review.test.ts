/** Review of an extraction: by keyboard alone, by mouse, and when saving fails. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { read, utils } from "@e965/xlsx";
import type { KeptExtraction } from "@sheaf/client";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Page } from "playwright-core";
import { call } from "./api.ts";
import { password, signIn, Visit } from "./browser.ts";
import { openService, setFirstPassword } from "./set-up.ts";

const administrator = "administrator@sheaf.localhost";
const examples = join(import.meta.dirname, "../../examples");
const invoice = readFileSync(join(examples, "invoice.pdf")).toString("base64");
const params = [
  ...JSON.parse(readFileSync(join(examples, "params.json"), "utf8")),
  { name: "paid", format: "boolean", description: "Whether the invoice is paid" },
  { name: "delivery_date", format: "date", description: "Date of the delivery" },
];

async function extract(page: Page, filename: string): Promise<string> {
  const body = { filename, file: invoice, params };
  const answer = await call<{ metadata: { extraction_id: string } }>(page, "POST", "/v2/extractor", body);
  return answer.metadata.extraction_id;
}

const stored = async (page: Page, id: string) =>
  (await call<{ data: KeptExtraction }>(page, "GET", `/v2/extractions/${id}`)).data;

const field = (page: Page, path: string) => page.locator(`[data-path="${path}"]`);
const isSaved = (page: Page) => page.getByText("All changes saved").waitFor();

async function openReview(page: Page, id: string): Promise<void> {
  await page.goto(`/extractions/${id}`);
  await page
    .getByText(/values? to check/)
    .first()
    .waitFor();
  await page.locator("[data-page='1'] img").waitFor();
}

/** Chooses an item of the export menu, and returns the file that it downloads. */
async function downloaded(page: Page, item: string): Promise<Buffer> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  return readFileSync(await (await download).path());
}

/**
 * Counts two kinds of pixels of a picture: those in the colour of boxes, and dark ones in the list
 * beside the page. Runs in Chromium.
 */
async function pixelsOf(base64: string): Promise<{ width: number; boxed: number; inked: number }> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let [boxed, inked] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (Math.abs(red - 180) < 30 && Math.abs(green - 83) < 30 && blue < 50) boxed++;
    if ((at / 4) % image.width > 1_500 && red < 100) inked++;
  }
  return { width: image.width, boxed, inked };
}

/** Returns the centre of a word in the document, in screen pixels. */
async function placeOf(page: Page, word: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const place = await page
    .locator("[data-page='1'] span", { hasText: new RegExp(`^${word}\\s*$`) })
    .first()
    .boundingBox();
  assert.ok(place, word);
  return { ...place, x: place.x + place.width / 2, y: place.y + place.height / 2 };
}

describe("review", () => {
  const at = openService();
  before(() => setFirstPassword(at));
  const begin = async (options = {}) => {
    const visit = await Visit.begin(at.browser, at.service.url, { viewport: { width: 1440, height: 900 }, ...options });
    await signIn(visit, administrator);
    return visit;
  };

  test("an invoice is checked by keyboard alone, and the next one opens", async () => {
    const visit = await begin();
    const { page } = visit;
    const { keyboard } = page;
    const id = await extract(page, "keys.pdf");
    const next = await extract(page, "next.pdf");
    await page.goto("/extractions");
    await page.getByRole("link", { name: "keys.pdf" }).waitFor();
    await visit.checkAccessibility("the list of extractions");
    await page.getByRole("link", { name: "keys.pdf" }).focus();
    await keyboard.press("Enter");
    await page
      .getByText(/values? to check/)
      .first()
      .waitFor();
    await visit.checkAccessibility("the workbench");

    // The first value to check is already selected. It is edited; the others are confirmed.
    await keyboard.press("e");
    await page.getByLabel("seller_name").first().fill("Northlight Paper");
    await keyboard.press("Enter");
    await keyboard.press("j");
    await keyboard.press("n");
    await page.getByLabel("Why is there no value?").waitFor();
    await visit.checkAccessibility("removing a value");
    await keyboard.type("Not legible");
    await keyboard.press("Enter");
    await keyboard.press("j");
    const left = page.getByRole("region", { name: "Extracted values" }).getByRole("status").first();
    for (let presses = 0; presses < 40 && !(await left.innerText()).startsWith("All values"); presses++) {
      await keyboard.press("Enter");
      await page.waitForTimeout(60);
    }
    assert.equal(await left.innerText(), "All values are checked · 2 corrected");
    await keyboard.press("u");
    await left.getByText("1 value to check").waitFor();
    await keyboard.press("j");
    await keyboard.press("Enter");
    await isSaved(page);
    await keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await visit.checkAccessibility("the help");
    await keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "detached" });
    await keyboard.press("r");
    await page.waitForURL(`**/extractions/${next}*`);

    const { status, corrected_data: data, corrections } = await stored(page, id);
    assert.equal(status, "reviewed");
    assert.equal(data[0]?.seller_name, "Northlight Paper");
    assert.equal(data[0]?.buyer_name, null);
    assert.partialDeepStrictEqual(
      corrections.find(({ path }) => path === "/0/buyer_name"),
      { value: null, reason: "Not legible" },
    );
    await visit.end();
  });

  test("a click on a value marks its box, a click on a word selects its value, and a drawn box sets a value", async () => {
    const visit = await begin();
    const { page } = visit;
    const id = await extract(page, "mouse.pdf");
    await openReview(page, id);
    await field(page, "/0/gross_total").click();
    const mark = await page.locator("[data-highlight=current]").boundingBox();
    const total = await placeOf(page, "£1,021.80");
    assert.ok(
      mark && Math.abs(mark.x + mark.width / 2 - total.x) < 15 && Math.abs(mark.y + mark.height / 2 - total.y) < 15,
    );

    const number = await placeOf(page, "NL-2026-0417");
    await page.mouse.click(number.x, number.y);
    assert.equal(await field(page, "/0/invoice_number").getAttribute("aria-current"), "true");
    assert.match(page.url(), /extractions/);
    await page.waitForURL("**field=%2F0%2Finvoice_number*");

    // Draws a box around "Unit 7, Quay Yard", which becomes the value of the field that is edited.
    await field(page, "/0/buyer_name").click();
    await page.keyboard.press("e");
    const [from, to] = [await placeOf(page, "Unit"), await placeOf(page, "Yard")];
    await page.mouse.move(from.x - from.width / 2 - 4, from.y - from.height / 2 - 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2 + 4, to.y + to.height / 2 + 2, { steps: 4 });
    await page.mouse.up();
    assert.equal(await page.getByLabel("buyer_name").first().inputValue(), "Unit 7, Quay Yard");
    await visit.checkAccessibility("editing a value");
    await page.keyboard.press("Enter");

    // Clicks a word to select it. The number is read in the notation of the interface's language.
    await field(page, "/0/net_total").click();
    await page.keyboard.press("e");
    const amount = await placeOf(page, "£408.00");
    await page.mouse.click(amount.x, amount.y);
    assert.equal(await page.locator("input[data-input]").inputValue(), "408");
    await page.keyboard.press("Enter");
    await isSaved(page);
    const { corrected_data: data, corrections } = await stored(page, id);
    assert.equal(data[0]?.buyer_name, "Unit 7, Quay Yard");
    assert.equal(data[0]?.net_total, 408);
    const drawn = corrections.find(({ path }) => path === "/0/buyer_name");
    assert.equal(drawn?.page, 1);
    assert.equal(drawn?.boxes?.length, 1);
    await visit.picture("review");
    await visit.end();
  });

  test("rows are changed, inserted and removed, and exported", async () => {
    const visit = await begin();
    const { page } = visit;
    const id = await extract(page, "rows.pdf");
    await openReview(page, id);
    await field(page, "/0/line_items/1/quantity").click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("e");
    await page.locator("input[data-input]").fill("twenty");
    await page.keyboard.press("Enter");
    await page.getByText("This is not a number.").waitFor();
    await page.locator("input[data-input]").fill("1,234.5");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Add row below" }).click();
    await page.keyboard.press("e");
    await page.getByLabel("description").first().fill("Stamps");
    await page.keyboard.press("Enter");
    await field(page, "/0/line_items/0/description").click();
    await page.getByRole("button", { name: "Remove row 1" }).click();
    await isSaved(page);
    await visit.checkAccessibility("a changed list");
    const rows = (await stored(page, id)).corrected_data[0]?.line_items as { description: string; quantity: number }[];
    assert.deepEqual(
      rows.map(({ quantity }) => quantity),
      [300, 1234.5, null, 1],
    );
    assert.equal(rows[2]?.description, "Stamps");
    const csv = (await downloaded(page, "List “line_items” as CSV")).toString("utf8").split("\r\n");
    assert.equal(csv.length, 6);
    assert.match(csv[3] ?? "", /^Stamps,,/);
    const workbook = read(await downloaded(page, "Data as Excel workbook"));
    assert.deepEqual(workbook.SheetNames, ["Fields", "line_items"]);
    const sheet = utils.sheet_to_json<Record<string, unknown>>(workbook.Sheets.line_items ?? {});
    assert.deepEqual(
      sheet.map((row) => row.quantity),
      [300, 1234.5, undefined, 1],
    );
    await visit.end();
  });

  test("the evidence is exported as a PDF with its boxes and values", async () => {
    const visit = await begin();
    const { page } = visit;
    const id = await extract(page, "evidence.pdf");
    await openReview(page, id);
    const file = await downloaded(page, "Evidence as PDF");
    const { numPages } = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
    assert.equal(numPages, 1);
    // The page and the list beside it are a single picture, in which all boxes have the same
    // colour.
    const start = file.indexOf("stream\n", file.indexOf("/DCTDecode")) + "stream\n".length;
    const { width, boxed, inked } = await page.evaluate(pixelsOf, file.subarray(start).toString("base64"));
    assert.equal(width, 2_200);
    assert.ok(boxed > 2_000, `${boxed} pixels of boxes`);
    assert.ok(inked > 2_000, `${inked} pixels of the list`);
    await visit.end();
  });

  test("a change by another user is explained, and either version can be kept", async () => {
    const visit = await begin();
    const { page } = visit;
    const id = await extract(page, "conflict.pdf");
    await openReview(page, id);
    const other = await begin();
    const theirs = { corrections: [{ path: "/0/seller_name", value: "Theirs" }], version: 1 };
    await call(other.page, "PUT", `/v2/extractions/${id}/corrections`, theirs);
    await other.end();
    await page.keyboard.press("e");
    await page.getByLabel("seller_name").first().fill("Mine");
    await page.keyboard.press("Enter");
    await page.getByText("Somebody else has changed this extraction").waitFor();
    await visit.checkAccessibility("a conflict");
    assert.equal((await stored(page, id)).corrected_data[0]?.seller_name, "Theirs");
    await page.getByRole("button", { name: "Replace it with mine" }).click();
    await isSaved(page);
    assert.equal((await stored(page, id)).corrected_data[0]?.seller_name, "Mine");
    await visit.end();
  });

  test("nothing is lost if the session ends or the service cannot be reached", async () => {
    const visit = await begin();
    const { page } = visit;
    const id = await extract(page, "session.pdf");
    await openReview(page, id);
    await visit.context.clearCookies();
    await page.keyboard.press("e");
    await page.getByLabel("seller_name").first().fill("Typed without a session");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await isSaved(page);
    assert.equal((await stored(page, id)).corrected_data[0]?.seller_name, "Typed without a session");

    await visit.context.setOffline(true);
    await field(page, "/0/currency").click();
    await page.keyboard.press("e");
    await page.getByLabel("currency").first().fill("EUR");
    await page.keyboard.press("Enter");
    await page.getByText("Your changes are not saved yet.").waitFor({ timeout: 30_000 });
    await visit.checkAccessibility("a failed save");
    await visit.context.setOffline(false);
    await page.goto("/extractions", { waitUntil: "commit" });
    await openReview(page, id);
    await isSaved(page);
    assert.equal((await stored(page, id)).corrected_data[0]?.currency, "EUR");
    await visit.end();
  });

  test("the workbench is usable on a phone and in the dark theme", async () => {
    const visit = await begin({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
    const { page } = visit;
    const id = await extract(page, "phone.pdf");
    await openReview(page, id);
    await visit.checkAccessibility("the workbench on a phone");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 360, "nothing is wider than the screen");
    await page.getByRole("button", { name: "Hide the document" }).click();
    await page.locator("[data-page='1']").waitFor({ state: "hidden" });
    await visit.end();
  });
});
