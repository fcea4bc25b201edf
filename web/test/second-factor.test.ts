/** Setting up an authenticator app, and signing in with its codes and recovery codes. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { codeOf, wrongCodeOf } from "../../server/test/helpers/authenticator.ts";
import { password, signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

describe("second factor", () => {
  const at = openService();
  const administrator = "administrator@sheaf.localhost";

  test("an authenticator app is set up, its code is asked for at sign-in, and it is turned off", async () => {
    const visit = await Visit.begin(at.browser, at.service.url, { acceptDownloads: true });
    const { page } = visit;
    await signInFirst(visit, await at.service.firstLink());
    await page.goto("/account");
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    const dialog = page.getByRole("dialog");
    const ownPassword = dialog.getByLabel("Current password");
    await ownPassword.fill("wrong");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not your current password.").waitFor();
    await visit.checkAccessibility("a wrong password");
    await ownPassword.fill(password);
    await page.keyboard.press("Enter");

    await dialog.getByRole("img", { name: "QR code" }).waitFor();
    const secret = (await dialog.locator("code").textContent()) ?? "";
    assert.equal(await dialog.getByRole("button", { name: "Use a recovery code" }).count(), 0);
    await visit.checkAccessibility("the QR code");
    await visit.picture("second-factor");
    const appCode = dialog.getByLabel("Code of your authenticator app");
    await appCode.fill(wrongCodeOf(secret));
    await page.keyboard.press("Enter");
    await dialog.getByText("This code is wrong").waitFor();
    const used = codeOf(secret);
    await appCode.fill(used);
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "Store your recovery codes" }).waitFor();
    const codes = await dialog.getByRole("listitem").allTextContents();
    assert.equal(codes.length, 10);
    await visit.checkAccessibility("the recovery codes");
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    const file = await (await downloading).path();
    assert.deepEqual((await readFile(file, "utf8")).trim().split("\n"), codes);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "I have stored the codes" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Turn off" }).waitFor();
    await visit.checkAccessibility("the account with a second factor");

    await visit.context.clearCookies();
    await page.goto("/account");
    await page.getByLabel("Email address").fill(administrator);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    const code = page.getByLabel("Code of your authenticator app");
    await code.waitFor();
    assert.ok(await code.evaluate((input) => input === document.activeElement), "the code input has the focus");
    await visit.checkAccessibility("the step for the code");
    await code.fill(used);
    await page.keyboard.press("Enter");
    await page.getByText("This code is wrong, or was used already.").waitFor();
    await visit.checkAccessibility("a wrong code");
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0]?.toUpperCase() ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Account" }).waitFor();

    await page.getByRole("button", { name: "Turn off" }).click();
    await visit.checkAccessibility("turning it off");
    await page.getByRole("dialog").getByLabel("Current password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("The second factor is off.").waitFor();
    await page.getByRole("button", { name: "Set up an authenticator app" }).waitFor();
    await visit.end();
  });
});
