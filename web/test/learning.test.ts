/**
 * An extractor improves: fields are proposed from samples, and the extractor learns the layout of a
 * corrected document.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import {
  firstLedger,
  type LedgerContent,
  ledgerParams,
  ledgerPdf,
  nextLedger,
} from "../../server/test/helpers/ledger.ts";
import { createAgent } from "./api.ts";
import { openSignedIn } from "./set-up.ts";

const invoice = resolve(import.meta.dirname, "../../examples/invoice.pdf");
/** Timeout in milliseconds, long because the machine may be running other tests. */
const reading = { timeout: 60_000 };

const upload = (name: string, content: LedgerContent) => ({
  name,
  mimeType: "application/pdf",
  buffer: ledgerPdf(content),
});

const field = (page: Page, path: string) => page.locator(`[data-path="${path}"]`);

describe("extractors that improve", () => {
  const at = openSignedIn({ viewport: { width: 1440, height: 900 } });

  test("fields are proposed from sample documents, and the chosen ones are added", async () => {
    const { page, visit } = at;
    const agent = { name: "Proposed", type: "EXTRACTOR", configuration: { params: ledgerParams } };
    const reference = await createAgent(page, agent);
    await page.goto(`/extractors/${reference}/fields`);
    await page.getByText("2 fields").waitFor();
    await page.getByRole("button", { name: "Propose fields" }).click();
    const dialog = page.getByRole("dialog", { name: "Propose fields" });
    await visit.checkAccessibility("the dialog that proposes fields");
    await dialog.locator("input[type=file]").setInputFiles([invoice, resolve(invoice, "../../README.md")]);
    await dialog.getByText("Files of this type are not supported.").waitFor(reading);
    await dialog.locator("input[type=file]").setInputFiles(invoice);
    await dialog.getByText(/^\d+ fields were found/).waitFor(reading);
    const number = dialog.getByRole("checkbox", { name: /NL-2026-0417/ });
    const total = dialog.getByRole("checkbox", { name: /1,021\.8/ });
    await number.first().check();
    await total.first().check();
    await visit.checkAccessibility("proposed fields");
    await visit.picture("propose");
    await dialog.getByRole("button", { name: "Add 2 fields" }).click();
    await page.getByText("4 fields").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The fields were saved.").waitFor();
    await page.getByRole("link", { name: "Try it" }).click();
    await page.getByLabel("Drop a document here").setInputFiles(invoice);
    await page.getByRole("button", { name: "NL-2026-0417" }).click(reading);
  });

  test("a correction improves the values of the next document with the same layout, until what was learned is deleted", async () => {
    const { page, visit } = at;
    const agent = { name: "Ledgers", type: "EXTRACTOR", configuration: { params: ledgerParams } };
    const reference = await createAgent(page, agent);
    const openPaper = async (file: ReturnType<typeof upload>) => {
      await page.goto(`/extractors/${reference}/runs`);
      await page.locator("input[type=file]").first().setInputFiles(file);
      await page.getByRole("link", { name: file.name }).first().click(reading);
      await page.locator("[data-page='1'] img").waitFor();
    };
    const shown = (name: string) => field(page, `/0/${name}`).innerText();

    await page.goto(`/extractors/${reference}/learned`);
    await page.getByRole("heading", { name: "Nothing learned yet" }).waitFor();
    await openPaper(upload("ledger-1.pdf", firstLedger));
    assert.doesNotMatch(await shown("reference"), /QX-104/);

    // One value is typed. The other value is taken from the page by clicking its word.
    await field(page, "/0/reference").click();
    await page.keyboard.press("e");
    await page.locator("[data-input]").first().fill("QX-104/B");
    await page.keyboard.press("Enter");
    await field(page, "/0/worth").click();
    await page.keyboard.press("e");
    const word = await page
      .locator("[data-page='1'] span", { hasText: /^77\.20\s*$/ })
      .first()
      .boundingBox();
    assert.ok(word);
    await page.mouse.click(word.x + word.width / 2, word.y + word.height / 2);
    await page.keyboard.press("Enter");
    await page.getByText("All changes saved").waitFor();
    await page.getByText("All values are checked · 2 corrected").waitFor();
    await page.keyboard.press("r");
    const told = page.getByText("The extractor learned 2 fields from this document.");
    await told.waitFor();
    await visit.checkAccessibility("what the extractor learned");
    await page.getByRole("button", { name: "What it learned" }).click();

    const lesson = page.getByRole("listitem").filter({ hasText: "ledger-1.pdf" });
    await lesson.getByText("reference: to the right of “Folio”").waitFor();
    await lesson.getByText("worth: to the right of “Tally”").waitFor();
    await lesson.getByText("never used").waitFor();

    const second = upload("ledger-2.pdf", nextLedger);
    await openPaper(second);
    assert.match(await shown("reference"), /RM-993\/C/);
    assert.match(await shown("worth"), /1,402\.55/);
    const label = /As learned from “ledger-1\.pdf” on \w+ \d{1,2}, \d{4}/;
    assert.match(await shown("reference"), label);
    assert.match(await shown("worth"), label);
    await field(page, "/0/reference").click();
    await page.locator("[data-highlight=current]").waitFor();
    await visit.checkAccessibility("values that were learned");
    // The label disappears when a person replaces the value, and returns when the replacement is
    // undone.
    await page.keyboard.press("e");
    await page.locator("[data-input]").first().fill("Other");
    await page.keyboard.press("Enter");
    await page.getByText("All changes saved").waitFor();
    assert.doesNotMatch(await shown("reference"), label);
    await page.keyboard.press("u");
    await field(page, "/0/reference").getByText(label).waitFor();

    await page.goto(`/extractors/${reference}/learned`);
    await lesson.getByText("used 1 time").waitFor();
    await visit.checkAccessibility("the list of what was learned");
    await visit.picture("learned");
    await lesson.getByRole("button", { name: "Forget" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
    await page.getByRole("heading", { name: "Nothing learned yet" }).waitFor();
    await openPaper({ ...second, name: "ledger-3.pdf" });
    assert.doesNotMatch(await shown("reference"), /RM-993/);
  });
});
