/**
 * Measures the first screen of a signed-in user: bytes of scripts and styles as sent, and the time
 * from the start of the navigation until the screen is usable, without and with the browser's cache.
 *
 *     node scripts/build-web.ts && node scripts/compress-web-files.ts && node web/measure-start.ts
 */
import type { Page } from "playwright-core";
import { openBrowser, signInFirst, Visit } from "./test/browser.ts";
import { Service } from "./test/service.ts";

const visits = 10;

await using service = await Service.start({ SHEAF_LOG_LEVEL: "error" });
await using browser = await openBrowser();
const first = await Visit.begin(browser, service.url);
await signInFirst(first, await service.firstLink());
await first.page.getByRole("button", { name: "Remove the samples" }).waitFor();
const storageState = await first.context.storageState();
await first.end();

const cold: number[] = [];
const warm: number[] = [];
let bytes: Record<string, number> = {};
for (let count = 0; count < visits; count++) {
  const context = await browser.newContext({ baseURL: service.url, storageState, locale: "en-GB" });
  const page = await context.newPage();
  cold.push(await timeOfStart(page));
  bytes = await bytesOf(page);
  warm.push(await timeOfStart(page));
  await context.close();
}
report("Usable without cache", cold);
report("Usable with cache", warm);
for (const [type, sum] of Object.entries(bytes)) console.log(`${type}: ${(sum / 1000).toFixed(1)} kB as sent`);

/**
 * Returns the time in milliseconds until the screen shows the user's own data and can be clicked.
 */
async function timeOfStart(page: Page): Promise<number> {
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("link", { name: "Sample invoices" }).waitFor();
  return page.evaluate(() => performance.now());
}

/**
 * Returns the transferred bytes of scripts and style sheets by type, including response headers.
 */
function bytesOf(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const sums: Record<string, number> = {};
    for (const entry of performance.getEntriesByType("resource") as PerformanceResourceTiming[]) {
      const type = /\.(js|css)$/.exec(new URL(entry.name).pathname)?.[1];
      if (type !== undefined) sums[type] = (sums[type] ?? 0) + entry.transferSize;
    }
    return sums;
  });
}

function report(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(`${what}: median ${median.toFixed(0)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`);
}
