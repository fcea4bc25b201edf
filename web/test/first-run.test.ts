/**
 * A first run: within 60 seconds of the start command, an invoice is checked and an answer with its
 * quote is shown.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { signIn, signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

/**
 * Maximum time, in milliseconds, from the start command until the answer and the quoted page are
 * shown.
 */
const limitMs = 60_000;
/**
 * Maximum size in bytes of the scripts of the start screen, compressed with gzip. Loading them
 * takes about a second on a slow connection.
 */
const maxScriptBytes = 200_000;
const build = resolve(import.meta.dirname, "../dist");

describe("first run", () => {
  let started: number;
  before(() => {
    started = performance.now();
  });
  const at = openService();

  test("a value is checked on its page, and an answer leads to its quote", async (context) => {
    const visit = await Visit.begin(at.browser, at.service.url, { viewport: { width: 1440, height: 900 } });
    const { page } = visit;
    await signInFirst(visit, await at.service.firstLink());
    await page.getByRole("button", { name: "Remove the samples" }).waitFor({ timeout: limitMs });

    await page.getByRole("link", { name: "Check what was read" }).click();
    await page.getByRole("link", { name: "invoice.pdf" }).click();
    const values = page.getByRole("region", { name: "Extracted values" });
    const number = values.getByRole("button", { name: /^invoice_number/ });
    await number.click();
    const value = (await number.innerText()).split("\n").at(-1)?.trim() ?? "";
    assert.match(value, /\d/);
    assert.equal(await highlightedWords(page, "current"), value);
    await visit.picture("review");
    await values.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("All changes saved").waitFor();

    await page.getByRole("link", { name: "Start", exact: true }).click();
    await page.getByRole("link", { name: "Ask a question" }).click();
    await page.getByLabel("Your question").fill("How many days of annual leave are there?");
    await page.keyboard.press("Enter");
    const answer = page.getByRole("article").filter({ has: page.getByRole("link", { name: /^Quote 1: / }) });
    await answer.waitFor({ timeout: limitMs });
    assert.match(await answer.locator("p").first().innerText(), /\b28\b/);
    await visit.picture("ask");
    await answer.getByRole("link", { name: /^Quote 1: / }).click();
    await page.getByText("Back to the answer").waitFor();
    assert.match(await highlightedWords(page, "citation"), /\b28\b/);
    const seconds = (performance.now() - started) / 1_000;
    context.diagnostic(`${seconds.toFixed(1)} s from the start command to the quote on its page`);
    assert.ok(seconds * 1_000 <= limitMs, `${seconds} s`);
    await visit.picture("document");

    await visit.checkAccessibility("a quote on its page");
    await page.getByRole("link", { name: "Back to the answer" }).click();
    await answer.waitFor();
    await visit.checkAccessibility("an answer with quotes");
    await visit.end();
  });

  test("the start screen loads at most 200 kB of scripts, compressed with gzip", async (context) => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, "administrator@sheaf.localhost");
    // Reloads the page, so that the scripts of the sign-in screen are not counted.
    await page.reload();
    await page.getByRole("button", { name: "Remove the samples" }).waitFor();
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.endsWith(".js")),
    );
    assert.ok(scripts.length > 0);
    const bytes = scripts.reduce(
      (sum, path) => sum + gzipSync(readFileSync(join(build, path)), { level: 9 }).length,
      0,
    );
    context.diagnostic(`${(bytes / 1000).toFixed(1)} kB in ${scripts.length} scripts`);
    assert.ok(bytes <= maxScriptBytes, `${bytes} bytes`);
    await visit.end();
  });
});

/** Returns the words of the text layer whose centre is inside a highlight. */
async function highlightedWords(page: Page, tone: "current" | "citation"): Promise<string> {
  const highlights = page.locator(`[data-highlight=${tone}]`);
  await highlights.first().waitFor();
  await page.waitForFunction(() => document.querySelector("[data-highlight]")?.parentElement?.querySelector("span"));
  return highlights.evaluateAll((all) => {
    const boxes = all.map((each) => each.getBoundingClientRect());
    const spans = [...(all[0]?.parentElement?.querySelectorAll("span") ?? [])];
    const isUnder = (span: Element) => {
      const { left, right, top, bottom } = span.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      return boxes.some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    };
    return spans
      .filter(isUnder)
      .map((span) => span.textContent?.trim())
      .join(" ");
  });
}
