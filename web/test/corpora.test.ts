/** Corpora in a browser: from creation to a marked quote, interrupted uploads, and assistants. */
import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { password, signIn, Visit } from "./browser.ts";
import { openService, setFirstPassword } from "./set-up.ts";

const invoice = resolve(import.meta.dirname, "../../examples/invoice.pdf");
const administrator = "administrator@sheaf.localhost";

describe("corpora and assistants", () => {
  const at = openService();
  /**
   * A folder as a user might have it: with subfolders, a damaged file, and a file of an unsupported
   * type.
   */
  let folder: string;

  before(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "sheaf-files-")), "papers");
    await mkdir(join(folder, "2026"), { recursive: true });
    await copyFile(invoice, join(folder, "2026", "invoice.pdf"));
    await writeFile(join(folder, "broken.pdf"), "no PDF");
    await writeFile(join(folder, "empty.pdf"), "");
    await writeFile(join(folder, "notes.txt"), "notes");
    await writeFile(join(folder, ".DS_Store"), "x");
    await setFirstPassword(at);
  });
  after(async () => {
    await rm(resolve(folder, ".."), { recursive: true, force: true });
  });

  const begin = async () => {
    const visit = await Visit.begin(at.browser, at.service.url, { viewport: { width: 1280, height: 900 } });
    await signIn(visit, administrator);
    return visit;
  };

  async function createCorpus(page: Page, name: string): Promise<string> {
    await page.goto("/corpora");
    await page.getByRole("button", { name: "New corpus" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Create corpus" }).click();
    await page.waitForURL(/\/documents$/);
    // While the dialog closes, the page behind it is still hidden from assistive technology, and
    // therefore from the test's locators.
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    return new URL(page.url()).pathname.split("/")[2] as string;
  }

  const chooseFolder = (page: Page) => page.getByLabel("Folder to upload").setInputFiles(folder);

  test("a folder is uploaded, a question is answered, and its quote is marked on the page", async () => {
    const visit = await begin();
    const { page } = visit;
    await createCorpus(page, "Papers");
    await visit.checkAccessibility("a corpus without documents");
    await chooseFolder(page);
    await page.getByRole("heading", { name: "Uploads finished" }).waitFor();
    await page.getByText("2 uploaded", { exact: true }).waitFor();
    await page.getByText("2 not sent", { exact: true }).waitFor();
    await page.getByText("The file is empty.").waitFor();
    await page.getByText("Files of this type are not supported. Use PDF").waitFor();

    await page.getByRole("button", { name: "papers", exact: true }).click();
    await page
      .getByText("The file is damaged, or its content does not match its name.")
      .first()
      .waitFor({ timeout: 60_000 });
    await visit.checkAccessibility("a folder with a failed document");
    await page.getByRole("button", { name: "2026", exact: true }).click();
    await page.getByRole("table").getByText("Ready").filter({ visible: true }).waitFor({ timeout: 60_000 });
    assert.equal(new URL(page.url()).searchParams.get("folder"), "papers/2026");
    await page.reload();
    await page.getByRole("link", { name: "invoice.pdf" }).waitFor();
    await visit.picture("corpus-documents");

    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("Your question").fill("What is the invoice number?");
    await page.keyboard.press("Enter");
    const quote = page.getByRole("link", { name: "Quote 1: invoice.pdf, page 1" });
    await quote.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Your question");
    await visit.checkAccessibility("an answer");
    await visit.picture("corpus-answer");
    await page.reload();
    await quote.click();
    const mark = page.locator('[data-highlight="citation"]').first();
    await mark.waitFor();
    const href = page.url();
    assert.ok(!href.includes("NL-2026"), "the URL contains no words of the document");
    await page.reload();
    await mark.waitFor();
    await visit.checkAccessibility("a document with a marked quote");
    await visit.picture("corpus-quote");
    await page.getByRole("link", { name: "Back to the answer" }).click();
    await quote.waitFor();
    await visit.end();
  });

  test("a question that the documents do not answer is reported as such, and a stopped question returns to the input", async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto("/corpora");
    await page.getByRole("link", { name: "Ask Papers" }).click();
    await page.getByLabel("Your question").fill("Who won the regatta?");
    await page.keyboard.press("Enter");
    await page.getByText("Not found in the documents").waitFor();
    await visit.checkAccessibility("a question without an answer");

    await page.route("**/stream", async () => {});
    await page.getByLabel("Your question").fill("How much is due?");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped. This answer is not kept.").waitFor();
    assert.equal(await page.getByLabel("Your question").inputValue(), "How much is due?");
    await visit.end();
  });

  test("uploads wait while the service is busy, and continue after the user has signed in again", async () => {
    const visit = await begin();
    const { page } = visit;
    const corpus = await createCorpus(page, "Interrupted");
    // Refuses uploads until the test has seen the message, which disappears with the first accepted
    // upload.
    let isBusy = true;
    await page.route("**/v2/agents/*/documents", (route) =>
      route.request().method() === "POST" && isBusy
        ? route.fulfill({ status: 503, json: { status: "error", code: "agent_unavailable", error: "busy" } })
        : route.continue(),
    );
    await chooseFolder(page);
    await page.getByText("The service is busy or out of reach.").waitFor();
    isBusy = false;
    await page.getByRole("link", { name: /^Uploading: / }).waitFor();
    await page.getByRole("heading", { name: "Uploads finished" }).waitFor();
    await page.getByText("2 uploaded", { exact: true }).waitFor();
    await page.unroute("**/v2/agents/*/documents");

    // Drops the same files again. The corpus already contains them.
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await visit.context.clearCookies();
    await chooseFolder(page);
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("2 already there", { exact: true }).waitFor();
    await visit.checkAccessibility("finished uploads");
    await page.getByRole("link", { name: "Open it invoice.pdf" }).click();
    await page.waitForURL(new RegExp(`/corpora/${corpus}/documents/.+`));
    await visit.end();
  });

  test("an assistant answers from the corpora chosen for it", async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto("/assistants");
    await page.getByRole("button", { name: "New assistant" }).click();
    await page.getByLabel("Name").fill("Bookkeeper");
    await page.getByRole("checkbox", { name: "Papers" }).check();
    await visit.checkAccessibility("a new assistant");
    await page.getByRole("button", { name: "Create assistant" }).click();
    await page.getByLabel("Your question").fill("What is the invoice number?");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Quote 1: invoice.pdf, page 1" }).click();
    await page.locator('[data-highlight="citation"]').first().waitFor();
    await page.getByRole("link", { name: "Back to the answer" }).click();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Delete assistant" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete assistant" }).click();
    await page.getByRole("heading", { name: "You have no assistant yet" }).waitFor();
    await visit.checkAccessibility("no assistants");
    await visit.end();
  });
});
