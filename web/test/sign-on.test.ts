/** Sign-on with a real provider in the browser: set-up, sign-in, return, and failures. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { client, type IdentityProvider, openIdentityProvider } from "../../server/test/helpers/identity-provider.ts";
import { signIn, Visit } from "./browser.ts";
import { openService, setFirstPassword } from "./set-up.ts";

const root = resolve(import.meta.dirname, "../..");

const port = await freePort();
const settings = {
  PORT: String(port),
  SHEAF_PUBLIC_URL: `http://127.0.0.1:${port}`,
  SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
  SHEAF_OUTBOUND_HTTP: "on",
};

describe("sign-on", () => {
  const at = openService(settings);
  let provider: IdentityProvider;
  const administrator = "administrator@sheaf.localhost";

  before(async () => {
    provider = await openIdentityProvider();
    await setFirstPassword(at);
  });
  after(async () => {
    await provider?.[Symbol.asyncDispose]();
  });

  const begin = async () => {
    const visit = await Visit.begin(at.browser, at.service.url);
    // The route registered last takes precedence, here over the rule that allows only the service.
    await visit.context.route(`${provider.issuer}/**`, (route) => route.continue());
    return visit;
  };
  const sheaf = (...parameters: string[]) =>
    promisify(execFile)("npx", ["node", "server/src/main.ts", ...parameters], {
      cwd: root,
      env: { ...process.env, SHEAF_DATA_DIR: at.service.folder },
    });

  test("an administrator sets up the provider, its groups claim and the value for administrators", async () => {
    const visit = await begin();
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization/sign-on");
    await page.getByText("Only the operator of the service can change them").waitFor();
    assert.equal(await page.getByLabel("Issuer").count(), 0, "not before a domain was added");
    const { stdout } = await sheaf("organization", "domain", "add", "default", "example.com");
    assert.equal(stdout, "example.com belongs to default now.\n");
    await page.reload();
    const redirectUri = await page.getByText(`${at.service.url}/sign-on/`).innerText();
    provider.register(redirectUri.trim());
    await page.getByLabel("Issuer").fill("http://127.0.0.1:1");
    await page.getByLabel("Client id").fill(client.id);
    await page.getByLabel("Client secret").fill(client.secret);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The provider of the organization does not respond.").waitFor();
    await page.getByLabel("Issuer").fill(`${provider.issuer}/`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("No OpenID Connect provider with this issuer responds at this URL.").waitFor();
    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByLabel("Groups claim").fill("groups");
    await page.getByLabel("Value for administrators").fill("bosses");
    await visit.checkAccessibility("the form of the provider");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The sign-on was saved.").waitFor();
    await page.getByRole("button", { name: "Turn sign-on off" }).waitFor();
    assert.equal(await page.getByLabel("Client secret").inputValue(), "");
    await visit.checkAccessibility("a configured provider");
    await visit.picture("sign-on");
    await visit.end();
  });

  test("an administrator creates a SCIM token, and revokes it", async () => {
    const visit = await begin();
    const { page } = visit;
    await signIn(visit, administrator);
    await page.goto("/organization/sign-on");
    await page.getByText(`${at.service.url}/scim/v2`).waitFor();
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Name").fill("Entra ID");
    await visit.checkAccessibility("the dialog for a token");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const token = await page.getByText(/^scim_/).innerText();
    await page.getByRole("button", { name: "Done, I have copied it" }).click();
    const row = page.getByRole("row", { name: "Entra ID" });
    await row.getByText("Never").waitFor();
    const headers = { authorization: `Bearer ${token.trim()}` };
    const provision = async () => (await fetch(`${at.service.url}/scim/v2/Users`, { headers })).status;
    assert.equal(await provision(), 200);
    await page.reload();
    await row.waitFor();
    assert.equal(await row.getByText("Never").count(), 0);
    await visit.checkAccessibility("the list of tokens");
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).last().click();
    await page.getByText("The token Entra ID was revoked.").waitFor();
    await page.getByText("There is no token: members are not provisioned.").waitFor();
    assert.equal(await provision(), 401);
    await visit.end();
  });

  test("the email address leads to the provider, and sign-in returns to the page that was opened", async () => {
    const visit = await begin();
    const { page } = visit;
    provider.account = { sub: "grace", email: "grace@example.com", email_verified: true, name: "Grace Hopper" };
    await page.goto("/account");
    await page.getByRole("button", { name: "Continue" }).waitFor();
    assert.equal(await page.getByLabel("Password").count(), 0);
    await visit.checkAccessibility("the email address");
    await page.getByLabel("Email address").fill("grace@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Account" }).waitFor();
    assert.equal(page.url(), `${at.service.url}/account`);
    await page.getByText("Grace Hopper · grace@example.com").waitFor();
    await page.getByText("which manages your password and second factor").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Passkeys" }).count(), 0);
    await visit.checkAccessibility("the account after sign-on");
    // Neither the authorization code nor the state stays in the history.
    await page.goBack();
    assert.doesNotMatch(page.url(), /code=|state=/);
    await visit.end();
  });

  test("after a session has ended, the user signs in through the provider again", async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto("/sign-in");
    await page.getByLabel("Email address").fill("grace@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Hello, Grace/ }).waitFor();
    await page.goto("/account");
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await visit.context.clearCookies();
    await page.getByRole("link", { name: "Extractors" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await visit.checkAccessibility("an ended session");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Extractors" }).waitFor();
    await visit.end();
  });

  test("a refused sign-in says why, and a password still works", async () => {
    const visit = await begin();
    const { page } = visit;
    provider.account = { sub: "eve", email: "eve@example.com", email_verified: false };
    await page.goto("/sign-in");
    await page.getByLabel("Email address").fill("eve@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("The provider has not verified your email address.").waitFor();
    await visit.checkAccessibility("a refused sign-in");
    provider.account = undefined;
    // Clearing the cookies also ends the session at the provider.
    await visit.context.clearCookies();
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByLabel("Email address").fill("eve@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("The provider of your organization refused the sign-in.").waitFor();
    await page.getByRole("link", { name: "Try again" }).click();
    // If the domain of the address has no provider, sign-in continues with the password.
    await page.getByLabel("Email address").fill(administrator);
    await page.keyboard.press("Enter");
    await page.getByLabel("Password").waitFor();
    assert.equal(await page.getByLabel("Email address").inputValue(), administrator);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in with a password or passkey" }).click();
    await page.getByLabel("Password").waitFor();
    await page.goto(`/sign-on/0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77?code=a&state=b`);
    await page.getByText("was started in another browser").waitFor();
    assert.equal(new URL(page.url()).search, "");
    await visit.end();
  });
});

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((found) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found(typeof address === "object" && address !== null ? address.port : 0));
    }),
  );
}
