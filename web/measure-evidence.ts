/**
 * Measures how long it takes after a click on a value until its words are marked in the document.
 * Uses a browser, the built application, the real service and an invoice of 2,000 rows.
 *
 *     npm run build -w web && node web/measure-evidence.ts
 */
import type { Browser, Page } from "playwright-core";
import { openBrowser, signInFirst, Visit } from "./test/browser.ts";
import { Service } from "./test/service.ts";

const rowCount = 2_000;
/**
 * Rows on pages that have not been loaded: not in advance, and not as neighbours of a page that was
 * shown before.
 */
const coldRows = Array.from({ length: 10 }, (_, index) => 700 + 130 * index);
/**
 * Rows on the pages of `coldRows`, in a different order, so that each click leads to a different
 * page.
 */
const warmRows = coldRows.map((_, index) => (coldRows[(index * 3) % coldRows.length] ?? 0) + 5);

await using service = await Service.start({ SHEAF_LOG_LEVEL: "error" });
await using browser = await openBrowser();
const visit = await Visit.begin(browser, service.url, { viewport: { width: 1440, height: 900 }, reducedMotion: null });
const { page } = visit;
await signInFirst(visit, await service.firstLink());
const id = await extract(page, await longInvoice(browser));
await page.goto(`/extractions/${id}`);
await page.locator("[role=gridcell]").first().waitFor();
await page.waitForTimeout(2_000);
report("Cold (page not loaded before)", await times(coldRows));
report("Warm (page loaded before)", await times(warmRows));
await visit.end();

async function times(rows: readonly number[]): Promise<number[]> {
  const measured: number[] = [];
  for (const row of rows) {
    const cell = page.locator(`[data-path="/0/items/${row}/amount"]`);
    // The row is scrolled into view beforehand, so that only choosing its value is measured.
    await page.locator("[role=grid]").evaluate((grid, top) => grid.scrollTo(0, top), row * 34 - 100);
    await cell.waitFor();
    await page.waitForTimeout(700);
    measured.push(await cell.evaluate(timeOfClick));
  }
  return measured;
}

/** Runs in the browser: clicks, and waits until a new mark is painted within the view. */
async function timeOfClick(cell: Element): Promise<number> {
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const marks = () => [...document.querySelectorAll<HTMLElement>("[data-highlight=current]")];
  const old = new Set(marks());
  const frame = document.querySelector("[data-page]")?.closest("section[tabindex]")?.getBoundingClientRect();
  const start = performance.now();
  (cell as HTMLElement).click();
  for (;;) {
    await nextFrame();
    const isShown = marks().some((mark) => {
      const { top, bottom } = mark.getBoundingClientRect();
      return !old.has(mark) && frame !== undefined && top >= frame.top && bottom <= frame.bottom;
    });
    // The frame with the mark has been painted when the next frame begins.
    if (isShown) return (await nextFrame()) - start;
    if (performance.now() - start > 10_000) throw new Error("No mark was shown.");
  }
}

function report(what: string, measured: readonly number[]): void {
  const sorted = measured.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  console.log(
    `${what}: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms, slowest ${at(1)} ms (${sorted.length} values)`,
  );
}

/** Extracts as the web application does, and returns the id of the kept extraction. */
function extract(from: Page, file: Buffer): Promise<string> {
  const item = (name: string, format: string) => ({ name, format, description: "" });
  const items = [item("description", "text"), item("quantity", "number"), item("amount", "number")];
  const params = [item("invoice_number", "text"), { ...item("items", "list"), description: "Line items", items }];
  return from.evaluate(
    async (body) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch("/v2/extractor", { method: "POST", headers, body });
      return (await response.json()).metadata.extraction_id;
    },
    JSON.stringify({ filename: "long.pdf", file: file.toString("base64"), params }),
  );
}

/** Returns a PDF of an invoice with many pages, which the browser prints. */
async function longInvoice(printer: Browser): Promise<Buffer> {
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const [quantity, price] = [1 + ((index * 7) % 40), ((index * 13) % 900) / 20 + 0.5];
    const cells = [`Grey board no. ${index + 1}`, String(quantity), price.toFixed(2), (quantity * price).toFixed(2)];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const heads = ["Description", "Quantity", "Unit price", "Amount"].map((head) => `<th>${head}</th>`);
  const sheet = await printer.newPage();
  await sheet.setContent(
    `<style>body { font: 11px sans-serif } td, th { padding: 3px 20px; text-align: left }</style>
     <h1>Invoice</h1><p>Invoice number: NL-2026-9001</p>
     <table><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`,
  );
  const file = await sheet.pdf({ format: "A4" });
  await sheet.close();
  return file;
}
