/** What a member of an organization sees, from invitation to removal. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

const endOfMembership = "You belong to no organization. Ask an administrator to invite you.";

describe("roles", () => {
  const at = openService();

  test("a member joins by a link, sees what the role allows, and is removed", async () => {
    const administrator = await Visit.begin(at.browser, at.service.url, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = administrator;
    await signInFirst(administrator, await at.service.firstLink());
    await createCorpus(administrator, "Contracts");
    await createCorpus(administrator, "Board minutes");
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("radio", { name: /^Only me/ }).check();
    await page.getByRole("button", { name: "Change access" }).click();
    await page.getByText("Access is changed.").waitFor();
    const hidden = new URL(page.url()).pathname.replace("/settings", "");

    await page.goto("/organization/members");
    await page.getByRole("button", { name: "Invite someone" }).first().click();
    const invite = page.getByRole("dialog", { name: "Invite someone" });
    await invite.getByLabel("Email address").fill("mia@example.com");
    await administrator.checkAccessibility("an invitation");
    await invite.getByRole("button", { name: "Create the link" }).click();
    await page.getByRole("button", { name: "Copy Link of the invitation" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: "Done, I have copied it" }).click();
    await administrator.picture("organization");

    const visit = await Visit.begin(at.browser, at.service.url);
    const member = visit.page;
    await member.goto(link);
    await member.getByRole("heading", { name: "Join your organization" }).waitFor();
    assert.equal(new URL(member.url()).hash, "");
    await visit.checkAccessibility("joining");
    await member.getByLabel("Your name").fill("Mia");
    await member.getByLabel("password", { exact: false }).fill(password);
    await member.getByRole("button", { name: "Join" }).click();
    await member.getByRole("heading", { name: "Hello, Mia" }).waitFor();
    assert.equal(await member.getByRole("button", { name: /samples/ }).count(), 0);

    await member.goto("/corpora");
    await member.getByRole("link", { name: "Contracts", exact: true }).waitFor();
    assert.equal(await member.getByText("Board minutes").count(), 0);
    assert.equal(await member.getByRole("button", { name: "New corpus" }).count(), 0);
    await member.goto(`${hidden}/documents`);
    await member
      .getByText(/does not exist|not found|may not see/i)
      .first()
      .waitFor();
    assert.equal(await member.getByText("Board minutes").count(), 0);

    for (const tab of ["members", "groups", "sign-on", "webhooks", "audit", "settings"]) {
      await member.goto(`/organization/${tab}`);
      await member.getByText("Only administrators can open this page").waitFor();
    }
    await visit.checkAccessibility("a denied page");

    await page.goto("/organization/members");
    await page.getByRole("button", { name: "More actions for Mia" }).click();
    await page.getByRole("menuitem", { name: "Remove from the organization" }).click();
    await page
      .getByRole("alertdialog")
      .or(page.getByRole("dialog", { name: "Remove Mia?" }))
      .first()
      .getByRole("button", { name: "Remove" })
      .click();
    await page.getByText("Mia was removed.").waitFor();

    await member.goto("/");
    await member.getByText(endOfMembership).waitFor();
    await visit.checkAccessibility("the end of a membership");
    await member.goto("/corpora");
    await member.getByText(endOfMembership).waitFor();
    await visit.end();
    await administrator.end();
  });
});

async function createCorpus({ page }: Visit, name: string): Promise<void> {
  await page.goto("/corpora");
  await page.getByRole("button", { name: "New corpus" }).click();
  const dialog = page.getByRole("dialog", { name: "New corpus" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create corpus" }).click();
  await page.getByRole("heading", { name: "Add the first documents" }).waitFor();
}
