/** Screens follow changes by others without being loaded again, with the stream of events and without. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { call, createAgent } from "./api.ts";
import { signIn, Visit } from "./browser.ts";
import { openSignedIn } from "./set-up.ts";

const administrator = "administrator@sheaf.localhost";
const file = readFileSync(resolve(import.meta.dirname, "../../examples/invoice.pdf")).toString("base64");
const params = [{ name: "total", format: "number", description: "Total amount including tax", items: [] }];

describe("live states", () => {
  /** Its page makes the changes, as another person does. */
  const at = openSignedIn();

  const begin = async () => {
    const visit = await Visit.begin(at.browser, at.service.url, { viewport: { width: 1280, height: 900 } });
    await signIn(visit, administrator);
    return visit;
  };
  const createCorpus = (name: string) => createAgent(at.page, { name, type: "DOCUMENTALIST" });
  const upload = async (corpus: string, filename: string): Promise<string> => {
    const body = { filename, file };
    const answer = await call<{ data: { document_reference: string } }>(
      at.page,
      "POST",
      `/v2/agents/${corpus}/documents`,
      body,
    );
    return answer.data.document_reference;
  };
  /** Counts the requests of a page for a path. */
  const counterOf = (page: Page, path: string) => {
    const counted = { requests: 0 };
    page.on("request", (request) => {
      if (request.method() === "GET" && new URL(request.url()).pathname === path) counted.requests++;
    });
    return counted;
  };
  const stateIn = (page: Page, state: string) => page.getByRole("table").getByText(state).filter({ visible: true });

  test("a document that somebody else uploads and deletes appears, becomes ready, and disappears", async () => {
    const corpus = await createCorpus("Shared papers");
    const visit = await begin();
    const { page } = visit;
    const lists = counterOf(page, `/v2/agents/${corpus}/documents`);
    await page.goto(`/corpora/${corpus}/documents`);
    await page
      .getByText(/^Drop files or folders here/)
      .first()
      .waitFor();
    const document = await upload(corpus, "from-a-colleague.pdf");
    await page.getByRole("link", { name: "from-a-colleague.pdf" }).waitFor({ timeout: 60_000 });
    await stateIn(page, "Ready").waitFor({ timeout: 60_000 });
    const before = lists.requests;
    await page.waitForTimeout(5_000);
    assert.equal(lists.requests, before, "nothing is polled while nothing changes");
    await call(at.page, "DELETE", `/v2/agents/${corpus}/documents/${document}`);
    await page.getByRole("link", { name: "from-a-colleague.pdf" }).waitFor({ state: "detached" });
    await visit.end();
  });

  test("the list of extractions follows the reviews of others", async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto("/extractions");
    await page.getByRole("heading", { name: "Review", level: 1 }).waitFor();
    const body = { filename: "to-be-reviewed.pdf", file, params };
    const { metadata } = await call<{ metadata: { extraction_id: string } }>(at.page, "POST", "/v2/extractor", body);
    await page.getByRole("link", { name: "to-be-reviewed.pdf" }).waitFor();
    const reviewed = { status: "reviewed", version: 1 };
    await call(at.page, "PATCH", `/v2/extractions/${metadata.extraction_id}`, reviewed);
    await page.getByRole("link", { name: "to-be-reviewed.pdf" }).waitFor({ state: "detached" });
    await visit.end();
  });

  test("without the stream the page polls, and it uses the stream again when that works", async () => {
    const corpus = await createCorpus("Polled papers");
    const visit = await begin();
    const { page } = visit;
    await page.route("**/v2/events", (route) => route.abort());
    await page.goto(`/corpora/${corpus}/documents`);
    await page.getByLabel("Files to upload").setInputFiles({
      name: "polled.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(file, "base64"),
    });
    await stateIn(page, "Ready").waitFor({ timeout: 60_000 });
    const reconnected = page.waitForResponse((response) => new URL(response.url()).pathname === "/v2/events", {
      timeout: 70_000,
    });
    await page.unroute("**/v2/events");
    assert.equal((await reconnected).status(), 200);
    await upload(corpus, "streamed.pdf");
    await page.getByRole("link", { name: "streamed.pdf" }).waitFor({ timeout: 60_000 });
    await visit.end();
  });

  test("a hidden page closes its stream and opens it again", async () => {
    const visit = await begin();
    const { page } = visit;
    const show = (visibility: string) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, visibility);
    const isStream = (request: { url(): string }) => new URL(request.url()).pathname === "/v2/events";
    const closed = page.waitForEvent("requestfailed", isStream);
    await show("hidden");
    await closed;
    const opened = page.waitForResponse(isStream);
    await show("visible");
    assert.equal((await opened).status(), 200);
    await visit.end();
  });
});
