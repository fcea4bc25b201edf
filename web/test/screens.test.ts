/**
 * Opens every screen at three widths, in light and dark, in all languages, and moves through it
 * with the Tab key.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { password, signIn, signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

const administrator = "administrator@sheaf.localhost";
/** Screens whose screenshots appear in the guide in docs/web. */
const pictured: Readonly<Record<string, string>> = {
  "/extractors": "extractors",
  "/extractions": "extractions",
  "/assistants": "assistants",
  "/account": "account",
};

describe("screens", () => {
  const at = openService();
  let paths: string[];
  before(async () => {
    const visit = await begin(at.browser, at.service.url);
    const { page } = visit;
    await signInFirst(visit, await at.service.firstLink());
    await page.getByRole("button", { name: "Remove the samples" }).waitFor({ timeout: 60_000 });
    paths = await pathsOf(page);
    await visit.end();
  });

  test("all screens are accessible and fit at every width, in light and dark", { timeout: 400_000 }, async () => {
    const visit = await begin(at.browser, at.service.url, { viewport: { width: 1440, height: 900 } });
    const { page } = visit;
    await signIn(visit, administrator);
    const problems: string[] = [];
    const note = (error: Error) => problems.push(error.message);
    for (const path of paths) {
      await open(page, path);
      const name = pictured[path];
      if (name !== undefined) await visit.picture(name);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1440, 768, 360]) {
          await page.setViewportSize({ width, height: 900 });
          const what = `${path} at ${width} px, ${colorScheme}`;
          const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (excess > 0) problems.push(`${what} scrolls sideways by ${excess} px`);
          // Checks accessibility only once for each theme and each layout, because a check takes a
          // second or more.
          if (width === (colorScheme === "light" ? 1440 : 360)) await visit.checkAccessibility(what).catch(note);
        }
      }
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    assert.deepEqual(problems, []);
    await visit.end();
  });

  for (const locale of ["de-DE", "fr-FR", "es-ES"])
    test(`all screens in ${locale}`, async () => {
      const visit = await begin(at.browser, at.service.url, { viewport: { width: 1440, height: 900 }, locale });
      const { page } = visit;
      await page.goto("/sign-in");
      await page.locator("input[type=email]").fill(administrator);
      await page.locator("input[type=password]").fill(password);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === "/");
      for (const path of paths) {
        await open(page, path);
        assert.equal(await page.locator("html").getAttribute("lang"), locale.slice(0, 2));
        assert.deepEqual(await untranslated(page), [], path);
      }
      await visit.end();
    });

  test("the Tab key reaches every control with a visible focus, and can leave every screen", async () => {
    const visit = await begin(at.browser, at.service.url, { viewport: { width: 1440, height: 900 } });
    const { page } = visit;
    await signIn(visit, administrator);
    for (const path of paths.filter((each) => !each.startsWith("/organization/"))) {
      await open(page, path);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      // Counts again at each step, because lists are loaded after the screen is shown.
      const countStops = () =>
        page.evaluate(() => {
          const selector =
            "a[href], button:not([disabled]), input:not([type=hidden]), select, textarea, [tabindex='0']";
          return document.querySelectorAll(selector).length;
        });
      let isLeft = false;
      let hasWrapped = false;
      let first: string | undefined;
      const invisible: string[] = [];
      for (let step = 0; !isLeft && step < (await countStops()) + 20; step++) {
        await page.keyboard.press("Tab");
        const focused = await focusOf(page);
        // After the last control, Chromium focuses either nothing or the first control of the
        // document.
        first ??= focused?.html;
        hasWrapped ||= focused?.html.includes('href="#content"') === true;
        if (focused === undefined) isLeft = step > 0;
        else if (hasWrapped && step > 0 && focused.html === first) isLeft = true;
        else if (!focused.isShown) invisible.push(focused.html);
      }
      assert.ok(isLeft, `${path} keeps the focus`);
      assert.deepEqual(invisible, [], `the focus is not visible on ${path}`);
    }
    await page.goto("/account");
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const skip = page.getByRole("link", { name: "Skip to content" });
    await skip.focus();
    assert.ok((await skip.boundingBox())?.width ?? 0 > 20);
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "content");
    await visit.end();
  });
});

/** Returns the paths of all screens, including those of the samples. */
async function pathsOf(page: Page): Promise<string[]> {
  const first = async (path: string, href: RegExp) => {
    await open(page, path);
    const links = page.locator("main a");
    await links.first().waitFor();
    const all = await links.evaluateAll((each) => each.map((link) => link.getAttribute("href") ?? ""));
    const found = all.find((each) => href.test(each));
    assert.ok(found !== undefined, `${path} has a link like ${href}`);
    return found;
  };
  const extractor = /^\/extractors\/[^/]+/.exec(await first("/extractors", /^\/extractors\/[\w-]{8}/))?.[0];
  const corpus = /^\/corpora\/[^/]+/.exec(await first("/corpora", /^\/corpora\/[\w-]{8}/))?.[0];
  const document = await first(`${corpus}/documents`, /\/documents\/[\w-]{8}/);
  const extraction = await first("/extractions", /^\/extractions\/[\w-]{8}/);
  return [
    "/",
    "/extractors",
    ...["fields", "try", "runs", "learned", "quality", "api"].map((tab) => `${extractor}/${tab}`),
    "/extractions",
    extraction,
    "/corpora",
    ...["documents", "ask", "settings", "api"].map((tab) => `${corpus}/${tab}`),
    document,
    "/split",
    "/assistants",
    ...["members", "groups", "sign-on", "api", "webhooks", "usage", "audit", "settings"].map(
      (tab) => `/organization/${tab}`,
    ),
    "/account",
  ];
}

/**
 * Begins a visit in which the event stream is blocked. Its request never ends, so the network would
 * never become idle.
 */
async function begin(...visit: Parameters<typeof Visit.begin>): Promise<Visit> {
  const begun = await Visit.begin(...visit);
  await begun.context.route("**/v2/events", (route) => route.abort());
  return begun;
}

/** Opens a screen and waits until it has loaded. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("main h1").first().waitFor();
  await page.waitForLoadState("networkidle");
}

/** Returns texts that look like message ids, which are shown if a translation is missing. */
const untranslated = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim() ?? "";
      // Message ids contain combinations that words do not, such as a lower-case letter followed by
      // a capital letter.
      if (/^[A-Za-z0-9_-]{6}$/.test(text) && /[a-z][A-Z0-9_-]|[0-9][A-Za-z]/.test(text)) found.push(text);
    }
    return found;
  });

/** Returns the focused element; undefined if the focus has left the page. */
const focusOf = (page: Page): Promise<{ html: string; isShown: boolean } | undefined> =>
  page.evaluate(() => {
    const { activeElement: active } = document;
    if (active === null || active === document.body) return undefined;
    if (!(active instanceof HTMLElement)) return { html: active.outerHTML.slice(0, 150), isShown: false };
    const around: (Element | null | undefined)[] = [active];
    for (let level = 0; level < 4; level++) around.push(around.at(-1)?.parentElement);
    const looks = () =>
      around.map((each) => {
        if (!each) return "";
        const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
        return [outline, boxShadow, borderColor, backgroundColor].join(" ");
      });
    const { width, height } = active.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(active);
    const isOutlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    const focused = looks().join();
    active.blur();
    // An outline counts as a visible focus. Without an outline, the element must look different
    // when it has the focus.
    const isMarked = isOutlined || looks().join() !== focused;
    active.focus({ preventScroll: true });
    return { html: active.outerHTML.slice(0, 150), isShown: width > 0 && height > 0 && isMarked };
  });
