/** Sign-in in a browser: first link, password, the end of a session, and accounts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, signIn, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

describe("sign-in", () => {
  const at = openService();
  const administrator = "administrator@sheaf.localhost";

  test("the first link works for one sign-in, asks for a password, and its token is removed from the URL", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    const link = await at.service.firstLink();
    await page.goto(link);
    const input = page.getByLabel("New password");
    await input.fill("password123");
    assert.equal(page.url(), `${at.service.url}/welcome`);
    await page.getByRole("button", { name: "Save the password and start" }).click();
    await page.getByText("This password is too easy to guess").waitFor();
    await visit.checkAccessibility("the first password");
    await visit.picture("welcome");
    await input.fill(password);
    await page.getByRole("button", { name: "Save the password and start" }).click();
    await page.getByRole("heading", { name: "Hello, Administrator" }).waitFor();
    await page.getByRole("button", { name: "Remove the samples" }).waitFor();
    await visit.checkAccessibility("the start screen");
    await visit.picture("start");

    const again = await Visit.begin(at.browser, at.service.url);
    await again.page.goto(link);
    await again.page.getByRole("heading", { name: "This link is not valid" }).waitFor();
    await again.checkAccessibility("a used link");
    await again.end();
    await visit.end();
  });

  test("a wrong password is reported, and after sign-in the requested screen opens", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await page.goto("/account");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await visit.checkAccessibility("sign-in");
    await page.getByLabel("Email address").fill(administrator);
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("Email address or password is wrong.").waitFor();
    await visit.checkAccessibility("a failed sign-in");
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await visit.end();
  });

  test("typed text is not lost if the session ends", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/account");
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill("seven brown otters at dusk");
    await visit.context.clearCookies();
    await page.getByRole("button", { name: "Change password" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await visit.checkAccessibility("the end of a session");
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("New password").inputValue(), "seven brown otters at dusk");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password is changed").waitFor();
    await visit.end();
  });
});
