/** Starts a service and a browser before the tests of a suite, and stops them afterwards. */
import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openBrowser, signInFirst, Visit } from "./browser.ts";
import { Service } from "./service.ts";

interface Started {
  service: Service;
  browser: Browser;
}

/** The first administrator is signed in. All tests of the suite share the page. */
interface SignedIn extends Started {
  visit: Visit;
  page: Page;
}

async function start(parts: Started, settings?: Record<string, string>): Promise<void> {
  [parts.service, parts.browser] = await Promise.all([Service.start(settings), openBrowser()]);
}

async function stop({ service, browser }: Partial<Started>): Promise<void> {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
}

/**
 * Starts a service and a browser before the tests of the calling suite, and stops them afterwards.
 */
export function openService(settings?: Record<string, string>): Started {
  const parts = {} as Started;
  before(() => start(parts, settings));
  after(() => stop(parts));
  return parts;
}

/** Like `openService`, but also signs in as the first administrator, who gets a password. */
export function openSignedIn(options?: BrowserContextOptions): SignedIn {
  const parts = {} as SignedIn;
  before(async () => {
    await start(parts);
    parts.visit = await Visit.begin(parts.browser, parts.service.url, options);
    parts.page = parts.visit.page;
    await signInFirst(parts.visit, await parts.service.firstLink());
  });
  after(async () => {
    try {
      await parts.visit?.end();
    } finally {
      await stop(parts);
    }
  });
  return parts;
}

/** Gives the first administrator a password, so that tests can sign in with it. */
export async function setFirstPassword({ service, browser }: Started): Promise<void> {
  const visit = await Visit.begin(browser, service.url);
  await signInFirst(visit, await service.firstLink());
  await visit.end();
}
