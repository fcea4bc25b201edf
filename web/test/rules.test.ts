/**
 * Field rules in a browser: edited beside the fields, and shown in the review until the values
 * satisfy them.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { openSignedIn } from "./set-up.ts";

const invoice = resolve(import.meta.dirname, "../../examples/invoice.pdf");

describe("rules of fields", () => {
  const at = openSignedIn();

  test("a violated rule is shown in the review, and disappears when the value is corrected", async () => {
    const { page, visit } = at;
    await page.goto("/extractors");
    await page.getByRole("link", { name: "Invoice", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Checked invoices");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: "More for “gross_total”" }).click();
    await page.getByRole("menuitem", { name: "Rules…" }).click();
    await page.getByLabel("A value is required").check();
    await page.getByLabel("Maximum").fill("one");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Enter a number.").waitFor();
    await page.getByLabel("Minimum").fill("2000");
    await page.getByLabel("Maximum").fill("1000");
    await page.getByText("Enter a number that is not below the minimum.").waitFor();
    await page.getByLabel("Minimum").fill("");
    await page.getByText("Enter a number that is not below the minimum.").waitFor({ state: "hidden" });
    await visit.checkAccessibility("the rules of a field");
    await visit.picture("rules");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Rules: required, at most 1000").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("There are changes that are not saved.").waitFor({ state: "hidden" });
    await page.reload();
    await page.getByText("Rules: required, at most 1000").waitFor();

    await page.getByRole("link", { name: "Results" }).click();
    await page.locator("input[type=file]").first().setInputFiles(invoice);
    await page.getByRole("link", { name: "invoice.pdf" }).first().click({ timeout: 60_000 });
    const rules = page.getByRole("region", { name: "Broken rules" });
    await rules.getByText("1 broken rule").waitFor();
    await visit.checkAccessibility("a broken rule");
    await visit.picture("broken-rule");
    await rules.getByRole("button", { name: "gross_total: is greater than 1000" }).click();
    assert.equal(new URL(page.url()).pathname.startsWith("/extractions/"), true);
    await page.keyboard.press("e");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("921.80");
    await page.keyboard.press("Enter");
    await rules.waitFor({ state: "hidden" });
  });
});
