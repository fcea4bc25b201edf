/**
 * Opens pages in Chromium, blocks requests to any host but the service, and performs the checks
 * that every test needs.
 */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/**
 * Folder of the screenshots for the documentation. They are written only on request, so that
 * ordinary test runs change no files.
 */
const pictures = resolve(import.meta.dirname, "../../docs/web");
const writesPictures = process.env.WRITE_PICTURES === "1";

export const password = "five grey herons at dawn";

export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** A page of the service, with the problems that occurred on it. */
export class Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Script errors, refused resources, and requests to other hosts. */
  readonly problems: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  static async begin(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ baseURL: url, locale: "en-GB", reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(20_000);
    const visit = new Visit(context, await context.newPage());
    await context.route("**/*", (route) => {
      const target = new URL(route.request().url());
      if (target.origin === url || target.protocol === "blob:" || target.protocol === "data:") return route.continue();
      visit.problems.push(`request to ${target.origin}`);
      return route.abort();
    });
    visit.page.on("pageerror", (error) => visit.problems.push(error.message));
    visit.page.on("console", (message) => {
      // Ignores messages that the browser itself writes about responses such as 401, because tests
      // cause those on purpose.
      if (message.type() === "error" && !/^Failed to load resource/.test(message.text()))
        visit.problems.push(message.text());
    });
    return visit;
  }

  /** Checks the accessibility of the page as it is now. */
  async checkAccessibility(what: string): Promise<void> {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze();
    const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const found = grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
    assert.deepEqual(found, [], `accessibility of ${what}`);
  }

  /** Takes a screenshot for the documentation. */
  async picture(name: string): Promise<void> {
    if (!writesPictures) return;
    mkdirSync(pictures, { recursive: true });
    // Waits until images have arrived, because the words of a page are shown as text until then.
    await this.page.waitForFunction(() => [...document.images].every((image) => image.complete));
    await this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }

  /** Ends the visit; fails if the page had a problem. */
  async end(): Promise<void> {
    await this.context.close();
    assert.deepEqual(this.problems, []);
  }
}

/**
 * Opens the link for the first sign-in, which signs in the first administrator, and sets a
 * password.
 */
export async function signInFirst(visit: Visit, link: string): Promise<void> {
  const { page } = visit;
  await page.goto(link);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Save the password and start" }).click();
  await page.getByRole("heading", { name: "Hello, Administrator" }).waitFor();
}

export async function signIn(visit: Visit, email: string, secret = password): Promise<void> {
  const { page } = visit;
  await page.goto("/sign-in");
  const address = page.getByLabel("Email address");
  await address.fill(email);
  // If an organization has an identity provider, the sign-in screen first asks only for the email
  // address.
  const usesPassword = page.getByRole("button", { name: "Sign in with a password or passkey" });
  if (await usesPassword.isVisible()) await usesPassword.click();
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: /^Hello, / }).waitFor();
}
