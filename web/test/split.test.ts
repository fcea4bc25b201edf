/** Splits a file into documents by keyboard alone, and exports the result. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

/** A PDF of two pages. */
const file = resolve(import.meta.dirname, "../samples/handbook.pdf");

describe("split and classify", () => {
  const at = openService();

  test("a file is split, corrected by keyboard, still corrected after a reload, and exported", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signInFirst(visit, await at.service.firstLink());
    await page.goto("/split");
    await visit.checkAccessibility("the choice of a file");
    await page.getByRole("button", { name: "Split and classify" }).click();
    await page.getByText("Choose a file first.").waitFor();
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByLabel(/A single document/).check();
    await page.getByRole("button", { name: "Split and classify" }).click();
    const first = page.getByRole("button", { name: "Page 1", exact: true });
    await first.waitFor({ timeout: 60_000 });
    const pages = page.locator("article h3 + span");
    assert.deepEqual(await pages.allInnerTexts(), ["Pages 1 to 2"]);

    await first.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    assert.deepEqual(await pages.allInnerTexts(), ["Page 1", "Page 2"]);
    assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.page), "2");
    await page.keyboard.press("Control+z");
    assert.deepEqual(await pages.allInnerTexts(), ["Pages 1 to 2"]);
    await page.keyboard.press("Control+Shift+z");
    assert.deepEqual(await pages.allInnerTexts(), ["Page 1", "Page 2"]);
    await page.getByLabel("Class of document 2").fill("annex");
    await page.keyboard.press("Enter");
    await page.getByText("All changes saved").waitFor();
    await page.getByRole("button", { name: "Show pages of document 2" }).click();
    const pagesOfFile = page.getByRole("dialog", { name: "handbook.pdf" });
    await pagesOfFile.getByText("Travel and expenses").waitFor({ state: "attached" });
    await visit.checkAccessibility("the pages of a file");
    await page.keyboard.press("Escape");
    await pagesOfFile.waitFor({ state: "detached" });
    const part = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download PDF of document 2" }).click();
    assert.equal((await part).suggestedFilename(), "annex.pdf");
    const text = execFileSync("pdftotext", [await (await part).path(), "-"], { encoding: "utf8" });
    assert.match(text, /Travel and expenses/);
    assert.doesNotMatch(text, /Annual leave/);
    await visit.checkAccessibility("the segments of a file");
    await visit.picture("split");

    // Clears the storage of the browser, because the service has stored the corrections too.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await first.waitFor();
    assert.deepEqual(await pages.allInnerTexts(), ["Page 1", "Page 2"]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "JSON, for programs" }).click();
    const { segments } = JSON.parse(await readFile(await (await download).path(), "utf8"));
    assert.deepEqual(
      segments.map(({ start, end }: { start: number; end: number }) => [start, end]),
      [
        [1, 1],
        [2, 2],
      ],
    );
    assert.deepEqual([segments[1].label, segments[1].confidence], ["annex", null]);

    await page.getByRole("slider").focus();
    await page.keyboard.press("Delete");
    assert.deepEqual(await pages.allInnerTexts(), ["Pages 1 to 2"]);
    await visit.end();
  });
});
