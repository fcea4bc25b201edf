/**
 * The organization in a browser: members, groups, credentials, webhooks and audit log, and what a
 * member sees of them.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { signIn, Visit } from "./browser.ts";
import { openService, setFirstPassword } from "./set-up.ts";

describe("organization", () => {
  const at = openService({ SHEAF_OUTBOUND_ALLOW: "127.0.0.1", SHEAF_OUTBOUND_HTTP: "on" });
  let receiver: Server;
  let receiverUrl: string;
  const received: string[] = [];
  const administrator = "administrator@sheaf.localhost";
  const member = "ada@example.com";
  const memberPassword = "seven brown otters at dusk";

  before(async () => {
    receiver = createServer((request, response) => {
      received.push(String(request.headers["webhook-id"]));
      request.resume().on("end", () => response.writeHead(204).end());
    });
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await setFirstPassword(at);
  });
  after(async () => {
    receiver?.close();
  });

  test("an invitation is a link shown once, and the invited member sees only what the role allows", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email address").fill(member);
    await page.keyboard.press("Enter");
    await dialog.getByText("it is shown only once").waitFor();
    await visit.checkAccessibility("the link of an invitation");
    const link = await dialog.locator("code").innerText();
    assert.ok(link.startsWith(`${at.service.url}/invitation#token=`));
    // The link is shown only once, so the Escape key must not close the dialog.
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Done, I have copied it" }).click();
    await page.getByRole("cell", { name: member, exact: true }).waitFor();
    await visit.checkAccessibility("members");

    const token = decodeURIComponent(link.split("=")[1] ?? "");
    const invited = await Visit.begin(at.browser, at.service.url);
    const accepted = await invited.context.request.post("/v2/invitations/accept", {
      data: { token, name: "Ada Lovelace", password: memberPassword },
      headers: { origin: at.service.url },
    });
    assert.equal(accepted.status(), 200);
    for (const tab of ["members", "groups", "webhooks", "audit", "settings"]) {
      await invited.page.goto(`/organization/${tab}`);
      await invited.page.getByRole("heading", { name: "Only administrators can open this page" }).waitFor();
    }
    await invited.checkAccessibility("a page for administrators");
    const tabs = invited.page.getByRole("navigation", { name: "Organization" }).getByRole("link");
    assert.deepEqual(await tabs.allInnerTexts(), ["API", "Usage"]);
    await invited.end();
    await visit.end();
  });

  test("the last administrator cannot become a member, and a message says why", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization/members");
    const role = page.getByLabel("Role of Administrator");
    await role.selectOption("member");
    await page.getByRole("button", { name: "Become a member" }).click();
    await page.getByText("The last active administrator must stay an administrator").first().waitFor();
    await role.and(page.locator(":enabled")).waitFor();
    assert.equal(await role.inputValue(), "administrator");
    await visit.end();
  });

  test("after a group is created, its members are shown with it", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization/groups?group=new");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Accounting");
    await dialog.getByLabel(/Ada Lovelace/).check();
    await visit.checkAccessibility("a new group");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("row", { name: /Accounting Ada Lovelace/ }).waitFor();
    await visit.end();
  });

  test("a secret is shown once, and its token is refused after the API is switched off", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization/api");
    await page.getByRole("button", { name: "New credential" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Invoice import");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Client secret", { exact: true }).waitFor();
    const [id, secret] = await dialog.locator("code").allInnerTexts();
    await dialog.getByRole("button", { name: "Done, I have copied it" }).click();
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: id ?? "",
      client_secret: secret ?? "",
    });
    const answer = await fetch(`${at.service.url}/v2/token`, { method: "POST", body: form });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const list = async () => (await fetch(`${at.service.url}/v2/agents`, { headers: { "x-api-key": token } })).status;
    assert.equal(await list(), 200);
    await page.getByRole("button", { name: "Switch the API off" }).click();
    await dialog.getByRole("button", { name: "Switch off" }).click();
    await page.getByText("API off", { exact: true }).waitFor();
    assert.equal(await list(), 403);
    await visit.checkAccessibility("credentials");
    await page.getByRole("button", { name: "Switch the API on" }).click();
    await page.getByText("API on", { exact: true }).waitFor();
    assert.equal(await list(), 200);
    await visit.end();
  });

  test("a test event arrives, and its delivery can be sent again", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization/webhooks");
    const url = page.getByLabel("URL").first();
    await url.fill("https://10.0.0.1/hook");
    await page.getByRole("button", { name: "Set up" }).first().click();
    await page.getByText("This URL is refused").waitFor();
    await visit.checkAccessibility("a refused URL");
    await url.fill(receiverUrl);
    await page.getByRole("button", { name: "Set up" }).first().click();
    await page.getByRole("button", { name: "Done, I have copied it" }).click();
    await page.getByRole("button", { name: "Send a test event: Document ingested" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Delivered").waitFor();
    assert.equal(received.length, 1);
    await visit.checkAccessibility("a delivery");
    await visit.picture("delivery");
    await dialog.getByRole("button", { name: "Send again" }).click();
    await dialog.getByRole("row").nth(2).waitFor();
    await dialog.getByText("Delivered").waitFor();
    assert.deepEqual(received, [received[0], received[0]]);
    // The URL contains the open delivery, so it is open again after a reload.
    await page.reload();
    await dialog.getByText("Delivered").waitFor();
    await visit.end();
  });

  test("the URL contains the filters of the audit log, and the export contains only the filtered entries", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization/audit?action=group.created");
    await page.getByText("All entries are shown (1).").waitFor();
    await visit.checkAccessibility("the audit log");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "JSON, for programs" }).click();
    const entries = JSON.parse(await readFile(await (await download).path(), "utf8"));
    assert.deepEqual(
      entries.map(({ action, detail }: { action: string; detail: { name: string } }) => [action, detail.name]),
      [["group.created", "Accounting"]],
    );
    await visit.end();
  });
});
