/** Screens show changes by other users without a reload, both with and without the event stream. */
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
/** A PDF of two pages. */
const twoPages = readFileSync(resolve(import.meta.dirname, "../samples/handbook.pdf")).toString("base64");
const params = [{ name: "total", format: "number", description: "Total amount including tax", items: [] }];

describe("live states", () => {
  /** A signed-in page that makes the changes, playing the role of another user. */
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
  /** Counts the GET requests that a page makes for a path. */
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

  test("the list of extractions shows reviews by other users", async () => {
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

  test("a corpus that somebody else deletes disappears from the list, and its page says so", async () => {
    const corpus = await createCorpus("Short-lived papers");
    await upload(corpus, "short-lived.pdf");
    const visit = await begin();
    const { page } = visit;
    await page.goto("/corpora");
    const link = page.getByRole("link", { name: "Short-lived papers", exact: true });
    await link.waitFor();
    const other = await visit.context.newPage();
    await other.goto(`/corpora/${corpus}/documents`);
    await other.getByRole("link", { name: "short-lived.pdf" }).waitFor();
    await call(at.page, "DELETE", `/v2/agents/${corpus}`);
    await other.getByRole("link", { name: "short-lived.pdf" }).waitFor({ state: "detached" });
    await other.getByText("This does not exist any more, or you may not see it.").waitFor();
    await other.getByRole("link", { name: "Corpora" }).last().waitFor();
    await page.bringToFront();
    await link.waitFor({ state: "detached" });
    await visit.end();
  });

  test("the segments of a file and the delivery log show changes by other users", async () => {
    const visit = await begin();
    const { page } = visit;
    const started = await call<{ classification_id: string }>(at.page, "POST", "/v2/classification/async", {
      filename: "pile.pdf",
      file: twoPages,
    });
    const id = started.classification_id;
    await page.goto(`/split?classification=${id}`);
    await page.getByRole("button", { name: "Page 1", exact: true }).waitFor({ timeout: 60_000 });
    const { data } = await call<{ data: { version: number } }>(at.page, "GET", `/v2/classifications/${id}`);
    const segments = [1, 2].map((number) => ({ start: number, end: number, label: "letter", title: `Part ${number}` }));
    await call(at.page, "PUT", `/v2/classifications/${id}/segments`, { segments, version: data.version });
    await page.waitForFunction(() => document.querySelectorAll("article").length === 2);

    const event = "document.ingestion_completed";
    await call(at.page, "PUT", `/v2/organization/webhooks/${event}`, { url: "https://example.com/hook" });
    await page.goto("/organization/webhooks");
    await page.getByRole("heading", { name: "No deliveries" }).waitFor();
    await call(at.page, "POST", `/v2/organization/webhooks/${event}/test`);
    await page.getByRole("table", { name: "Delivery log" }).getByText("Test").waitFor();
    await visit.end();
  });

  test("the page polls while the event stream does not work, and uses the stream again once it works", async () => {
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

  test("a hidden page closes its event stream, and opens it again when it is shown", async () => {
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
