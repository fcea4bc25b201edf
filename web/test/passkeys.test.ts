/** Passkeys, with the virtual authenticator of Chromium. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, signInFirst, Visit } from "./browser.ts";
import { openService } from "./set-up.ts";

describe("passkeys", () => {
  const at = openService();

  test("a passkey is created, signs in, and is deleted", async () => {
    // A passkey belongs to a host name. An IP address is not a host name.
    const url = at.service.url.replace("127.0.0.1", "localhost");
    const visit = await Visit.begin(at.browser, url);
    const { page } = visit;
    const devtools = await visit.context.newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signInFirst(visit, (await at.service.firstLink()).replace("127.0.0.1", "localhost"));
    await page.goto("/account");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a passkey" });
    await dialog.getByLabel("Name").fill("Test device");
    await dialog.getByLabel("Current password").fill("wrong");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not your current password.").waitFor();
    await visit.checkAccessibility("adding a passkey");
    await dialog.getByLabel("Current password").fill(password);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("not used yet").waitFor();
    await visit.checkAccessibility("the list of passkeys");
    const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
    assert.deepEqual(
      credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential]),
      [["localhost", true]],
    );

    await page.getByRole("button", { name: "Add a passkey" }).click();
    await dialog.getByLabel("Current password").fill(password);
    await page.keyboard.press("Enter");
    await dialog.getByText("This device has a passkey for your account already.").waitFor();
    await page.keyboard.press("Escape");

    await visit.context.clearCookies();
    await page.goto("/account");
    const signIn = page.getByRole("button", { name: "Sign in with a passkey" });
    await signIn.waitFor();
    await visit.checkAccessibility("sign-in with a passkey");
    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await signIn.click();
    await page.waitForFunction(() => document.querySelector("[aria-busy]") === null);
    assert.equal(await page.getByRole("alert").count(), 0, "closing the dialog of the browser is not an error");
    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await signIn.click();
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await page.getByText(/created .*, last used/).waitFor();

    await page.getByRole("button", { name: "Delete the passkey Test device" }).click();
    await visit.checkAccessibility("deleting a passkey");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("The passkey is deleted.").waitFor();
    await page.getByText("not used yet").waitFor({ state: "detached" });
    await visit.context.clearCookies();
    await page.goto("/sign-in");
    await signIn.click();
    await page.getByText("This passkey is not known here any more.").waitFor();
    await visit.end();
  });

  test("at an IP address, the screen says that passkeys are not available", async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    const { page } = visit;
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Sign in with a passkey" }).count(), 0);
    await page.getByLabel("Email address").fill("administrator@sheaf.localhost");
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Hello, / }).waitFor();
    await page.goto("/account");
    await page.getByText("Your browser cannot create passkeys here.").waitFor();
    await visit.end();
  });
});
