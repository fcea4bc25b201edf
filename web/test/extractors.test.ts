/** Extractors in a browser: from a template to values, pinned samples, results and export. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { read, utils } from "@e965/xlsx";
import type { Page } from "playwright-core";
import { call, createAgent } from "./api.ts";
import { openSignedIn } from "./set-up.ts";

const invoice = resolve(import.meta.dirname, "../../examples/invoice.pdf");
const readme = resolve(import.meta.dirname, "../../README.md");

/** Timeout in milliseconds. Long, because other tests may be running on the machine. */
const reading = { timeout: 60_000 };

const names = (page: Page) =>
  page
    .getByLabel("Name", { exact: true })
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

describe("extractors", () => {
  const at = openSignedIn();
  const get = async <T>(path: string): Promise<T | undefined> => (await call<{ data?: T }>(at.page, "GET", path)).data;

  test("an extractor is created from a template, with its fields", async () => {
    const { page, visit } = at;
    await page.goto("/extractors");
    await page.getByRole("heading", { name: "Start from a template" }).waitFor();
    await visit.checkAccessibility("the gallery");
    await visit.picture("extractors");
    await page.getByRole("link", { name: "Invoice", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Supplier invoices");
    await visit.checkAccessibility("the dialog of a new extractor");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Supplier invoices" }).waitFor();
    await page.getByText("19 fields").waitFor();
    await visit.checkAccessibility("the fields");
    await visit.picture("fields");
  });

  test("fields are edited and moved, changes are undone by keyboard, and each problem is shown at its field", async () => {
    const { page, visit } = at;
    const first = page.getByLabel("Name", { exact: true }).first();
    await first.fill("invoice_date");
    await page.keyboard.press("Control+s");
    await page.getByText("Another field on the same level has this name.").waitFor();
    await visit.checkAccessibility("a problem of a field");
    await page.keyboard.press("Control+z");
    assert.equal((await names(page))[0], "invoice_number");
    await page.getByRole("button", { name: "Move “invoice_number”: arrow keys" }).press("ArrowDown");
    assert.deepEqual((await names(page)).slice(0, 2), ["invoice_date", "invoice_number"]);
    await page.keyboard.press("Control+z");
    assert.deepEqual((await names(page)).slice(0, 2), ["invoice_number", "invoice_date"]);
    const handle = (name: string) => page.getByRole("button", { name: `Move “${name}”: arrow keys` });
    await handle("invoice_number").dragTo(handle("due_date"));
    assert.deepEqual((await names(page)).slice(0, 3), ["invoice_date", "due_date", "invoice_number"]);
    await page.keyboard.press("Control+z");
    assert.equal(await page.getByText("There are changes that are not saved.").isVisible(), false);
  });

  test("when the user leaves the screen, a dialog asks before unsaved changes are discarded", async () => {
    const { page } = at;
    await page.getByLabel("Name", { exact: true }).nth(1).fill("issue_date");
    await page.getByRole("link", { name: "Try it" }).click();
    await page.getByRole("heading", { name: "Leave without saving?" }).waitFor();
    await page.getByRole("button", { name: "Stay" }).click();
    assert.equal((await names(page))[1], "issue_date");
    await page.getByRole("button", { name: "Discard" }).click();
    assert.equal((await names(page))[1], "invoice_date");
  });

  test("a file is read, and its values are shown on the page", async () => {
    const { page, visit } = at;
    await page.getByRole("link", { name: "Try it" }).click();
    await page.getByLabel("Drop a document here").setInputFiles(invoice);
    await page.getByRole("button", { name: "NL-2026-0417" }).click(reading);
    await page.getByText("The value is written like this in the document.").waitFor();
    const pages = page.getByRole("region", { name: "invoice.pdf" });
    await pages.getByText("£1,021.80").click();
    await page.getByText("The value is written in another form in the document").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("value"), "/0/gross_total");
    await visit.checkAccessibility("a result");
    await visit.picture("try");
    await page.reload();
    await page.getByText("The value is written in another form in the document").waitFor();
  });

  test("a pinned sample shows which values differ after the fields are changed", async () => {
    const { page, visit } = at;
    await page.getByRole("button", { name: "Pin as a sample" }).click();
    await page.getByRole("link", { name: "Fields", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).nth(1).fill("issue_date");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The fields were saved.").waitFor();
    await page.getByRole("link", { name: "Try it" }).click();
    await page.getByText("Fields have changed since").waitFor();
    await page.getByRole("button", { name: "Run all again" }).click();
    await page.getByText("2 differences, 27 values are the same.").waitFor(reading);
    const rows = await page
      .getByRole("region", { name: "Differences of invoice.pdf" })
      .locator("tbody tr")
      .allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split("\t")),
      [
        ["issue_date", "new field", "–", "12 October 2026"],
        ["invoice_date", "removed field", "12 October 2026", "–"],
      ],
    );
    await visit.checkAccessibility("the samples");
    await page.getByRole("button", { name: "Compare with the new result from now on" }).click();
    await page.getByRole("button", { name: "Run again: invoice.pdf" }).click();
    await page.getByText("No difference: 28 values are the same.").waitFor(reading);
  });

  test("many files are read, and their results exported as a workbook", async () => {
    const { page, visit } = at;
    await page.getByRole("link", { name: "Results" }).click();
    await page.getByLabel("Drop documents here").setInputFiles([invoice, readme, invoice]);
    await page.getByText("3 of 3 files read, 1 failed").waitFor(reading);
    await page.getByText("Files of this type cannot be read.").waitFor();
    await visit.checkAccessibility("the results");
    await visit.picture("results");
    await page.getByLabel("State").selectOption("With values to check");
    assert.equal(new URL(page.url()).searchParams.get("state"), "needs_review");
    await page.getByRole("button", { name: /^Export all/ }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Excel" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "Supplier invoices.xlsx");
    const workbook = read(await readFile(await download.path()));
    assert.deepEqual(workbook.SheetNames, ["Documents", "lines"]);
    const documents = utils.sheet_to_json<Record<string, unknown>>(workbook.Sheets.Documents ?? {});
    assert.ok(documents.length >= 4);
    for (const row of documents) assert.deepEqual([row.File, row.gross_total], ["invoice.pdf", 1021.8]);
    assert.equal(utils.sheet_to_json(workbook.Sheets.lines ?? {}).length, documents.length * 4);
  });

  test("an extractor is duplicated, hidden from others, and deleted", async () => {
    const { page, visit } = at;
    await page.getByRole("button", { name: "More for “Supplier invoices”" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByRole("heading", { name: "Copy of Supplier invoices", exact: true }).waitFor();
    const [, reference] = /extractors\/([^/]+)/.exec(page.url()) ?? [];
    await page.getByRole("button", { name: "More for “Copy of Supplier invoices”" }).click();
    await page.getByRole("menuitem", { name: "Who sees it" }).click();
    await page.getByRole("radio", { name: "Only me" }).click();
    await visit.checkAccessibility("the choice of who sees it");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.equal((await get<{ visibility: string }>(`/v2/agents/${reference}/access`))?.visibility, "private");
    await page.getByRole("button", { name: "More for “Copy of Supplier invoices”" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/extractors$/);
    assert.equal(await get(`/v2/agents/${reference}`), undefined);
  });

  test("an extractor with 500 fields can be edited, even on a phone", async () => {
    const { page } = at;
    const params = Array.from({ length: 500 }, (_, index) => {
      return { name: `field_${index}`, format: "text", description: `Value ${index}`, items: [] };
    });
    const agent = { name: "Large", type: "EXTRACTOR", configuration: { params } };
    const reference = await createAgent(page, agent);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/extractors/${reference}/fields`);
    await page.getByText("500 fields").waitFor();
    await page.getByLabel("Name", { exact: true }).first().fill("renamed");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The fields were saved.").waitFor();
    const stored = await get<{ configuration: { params: { name: string }[] } }>(`/v2/agents/${reference}`);
    assert.equal(stored?.configuration.params[0]?.name, "renamed");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  });
});
