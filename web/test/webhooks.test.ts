/**
 * A webhook in a browser: from setting its URL to the delivery log. A test event fails, and
 * succeeds when it is sent again.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

describe("webhooks", () => {
  const at = openService({ SHEAF_OUTBOUND_ALLOW: "127.0.0.1", SHEAF_OUTBOUND_HTTP: "on" });
  let receiver: Server;
  /**
   * Statuses with which the receiver responds, in order. The service retries after 500, but not
   * after 400.
   */
  const responses = [500, 400, 204];
  const received: { id: string; test: boolean }[] = [];
  before(async () => {
    receiver = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      received.push(JSON.parse(body) as { id: string; test: boolean });
      response.writeHead(responses[received.length - 1] ?? 404).end();
    });
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  });
  after(async () => {
    receiver?.closeAllConnections();
    receiver?.close();
  });

  test("a test event fails and is sent again, and the log shows all attempts", async () => {
    const visit = await Visit.begin(at.browser, at.service.url, { viewport: { width: 1440, height: 900 } });
    const { page } = visit;
    await signInFirst(visit, await at.service.firstLink());
    await page.goto("/organization/webhooks");
    const card = page.getByRole("region", { name: "Document ingested", exact: true });
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await card.getByLabel("URL").fill(url);
    await card.getByRole("button", { name: "Set up" }).click();
    const secret = page.getByRole("dialog", { name: "The webhook is set up" });
    await secret.waitFor();
    await visit.checkAccessibility("the secret of a webhook");
    await secret.getByRole("button", { name: "Done, I have copied it" }).click();
    await card.getByText("Active").waitFor();

    await card.getByRole("button", { name: "Send a test event: Document ingested" }).click();
    const dialog = page.getByRole("dialog", { name: "Delivery" });
    const attempts = dialog.getByRole("table", { name: "Attempts" });
    await dialog.getByText("Failed", { exact: true }).waitFor();
    for (const name of ["500", "400"]) await attempts.getByRole("cell", { name, exact: true }).waitFor();
    await visit.checkAccessibility("a failed delivery");
    await dialog.getByRole("button", { name: "Send again" }).click();
    await attempts.getByRole("cell", { name: "204", exact: true }).waitFor();
    await dialog.getByText("Delivered").waitFor();
    assert.equal(await attempts.getByRole("row").count(), 1 + responses.length);
    assert.equal(received.length, responses.length);
    assert.equal(new Set(received.map(({ id }) => id)).size, 1);
    assert.ok(received.every((event) => event.test));
    await visit.picture("webhooks");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("table", { name: "Delivery log" }).getByRole("row").filter({ hasText: "Delivered" }).waitFor();
    await visit.end();
  });
});
