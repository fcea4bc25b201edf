/**
 * The documentation in a browser: search, keyboard, themes, narrow screens, and the link to it from
 * the application.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

/**
 * Pages of every kind: contents, tutorial, guide with pictures, long tables, API, decision record,
 * and a missing page.
 */
const paths = [
  "/docs/",
  "/docs/tutorials/programmer.html",
  "/docs/web/",
  "/docs/reference/configuration.html",
  "/docs/reference/api/",
  "/docs/reference/api/knowledge.html",
  "/docs/decisions/0052-serving-the-web-application.html",
  "/docs/none",
];

describe("documentation", () => {
  const at = openService();
  const begin = (width = 1440) =>
    Visit.begin(at.browser, at.service.url, { viewport: { width, height: 900 }, colorScheme: "light" });

  test("the search finds a section, using the keyboard alone", async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto("/docs/");
    await page.keyboard.press("/");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("status").getByText("Enter words to search for.").waitFor();
    await page.keyboard.type("trusted proxies");
    const first = dialog.getByRole("link").first();
    await first.getByText("Behind a proxy").waitFor();
    assert.match(await dialog.getByRole("status").innerText(), /^\d+ results$/);
    assert.deepEqual(await first.locator("mark").allInnerTexts(), ["TRUSTED", "PROXIES", "TRUSTED", "PROXIES"]);
    await visit.checkAccessibility("results of a search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(page), await first.innerText());
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/proxy.html");
    await page.getByRole("heading", { name: "Behind a proxy" }).waitFor();

    await page.keyboard.press("Control+k");
    await page.keyboard.type("recovery point in time");
    await dialog.getByText("Recovery to a point in time").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/operations/recovery.html#recovery-to-a-point-in-time");

    await page.getByRole("button", { name: "Search" }).click();
    await page.keyboard.type("zzzzqqqq");
    await dialog.getByText("Nothing found for “zzzzqqqq”.").waitFor();
    // Characters with a special meaning in regular expressions or HTML.
    await dialog.getByLabel("Search the documentation").fill('a[href^="("] <img src=x> \\ * {2}');
    await dialog
      .getByRole("status")
      .getByText(/result|Nothing/)
      .waitFor();
    assert.equal(await dialog.locator("img").count(), 0);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await visit.end();
  });

  test("the search reports an index that cannot be loaded, and works when it can be loaded again", async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto("/docs/");
    await visit.context.route("**/search-*.json", (route) => route.abort());
    await page.keyboard.press("/");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByText("The search index cannot be loaded. Try again.").waitFor();
    await visit.context.unroute("**/search-*.json");
    await page.keyboard.type("webhooks");
    await dialog.getByRole("link").first().waitFor();
    await visit.end();
  });

  test("the Tab key reaches the link to the content, and the menu on a phone opens and closes", async () => {
    const visit = await begin(360);
    const { page } = visit;
    await page.goto("/docs/extraction.html");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "content");
    const menu = page.getByRole("button", { name: "Menu" });
    const link = page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Webhooks" });
    assert.equal(await link.isVisible(), false);
    await menu.press("Enter");
    await link.waitFor();
    await visit.checkAccessibility("the open menu");
    await page.keyboard.press("Escape");
    await link.waitFor({ state: "hidden" });
    await menu.press("Enter");
    await link.click();
    await page.waitForURL("**/docs/webhooks.html");
    assert.equal(await page.locator('nav#navigation a[aria-current="page"]').textContent(), "Webhooks");
    await page.getByText("On this page").click();
    await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "Signatures" }).click();
    await page.waitForURL("**#signatures");
    await visit.end();
  });

  test("every kind of page is accessible and fits at every width, in light and dark", {
    timeout: 170_000,
  }, async () => {
    const visit = await begin();
    const { page } = visit;
    for (const path of paths) {
      await page.goto(path);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1440, 768, 360]) {
          await page.setViewportSize({ width, height: 900 });
          const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(excess <= 0, `${path} at ${width} px scrolls sideways by ${excess} px`);
          // Checks accessibility in only one layout per theme, because a check takes a second or
          // more.
          if (width === (colorScheme === "light" ? 1440 : 360))
            await visit.checkAccessibility(`${path} at ${width} px, ${colorScheme}`);
        }
      }
      await page.emulateMedia({ colorScheme: "light" });
    }
    await visit.end();
  });

  test("code can be copied, and wide code and tables can be scrolled with the keyboard", async () => {
    const visit = await begin(360);
    const { page } = visit;
    await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/docs/s3.html");
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^export SHEAF_FILES=s3:.*npx sheaf serve$/s);
    await page.goto("/docs/proxy.html");
    const code = page.getByRole("region", { name: "Code" }).first();
    await code.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
    await visit.end();
  });

  test("the application links to the documentation, which uses the theme chosen in the application", async () => {
    const visit = await begin();
    const { page } = visit;
    await signInFirst(visit, await at.service.firstLink());
    await page.evaluate(() => localStorage.setItem("sheaf.theme", "dark"));
    const [documentation] = await Promise.all([
      visit.context.waitForEvent("page"),
      page.getByRole("link", { name: "Documentation" }).click(),
    ]);
    await documentation.getByRole("heading", { name: "Documentation", level: 1 }).waitFor();
    const background = () => documentation.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(await background(), "rgb(23, 22, 20)");
    await documentation.getByRole("button", { name: "Use the light theme" }).click();
    assert.equal(await background(), "rgb(247, 246, 243)");
    await documentation.reload();
    assert.equal(await background(), "rgb(247, 246, 243)");
    await documentation.getByRole("link", { name: "Open Sheaf" }).click();
    await documentation.getByRole("heading", { name: "Hello, Administrator" }).waitFor();
    await visit.end();
  });
});

/** Returns the text of the focused element. */
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText);
