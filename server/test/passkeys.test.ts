/** Passkeys: creation, sign-in, and refusals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resetSecondFactor } from "../src/features/identity/second-factor.service.ts";
import { newId } from "../src/lib/ids.ts";
import { codeOf } from "./helpers/authenticator.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { PasskeyDevice } from "./helpers/passkey-device.ts";
import { type Browser, browserOf, cookieOf, join, password } from "./helpers/people.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

describeOverDatabases("passkeys", (dialect) => {
  const open = () => openTestService(dialect, { SHEAF_ADDRESS_RATE_LIMIT: "0" });
  const from = (origin: string) => ({ origin });
  const startCreation = async (service: TestService, browser: Browser) =>
    (await browser.send("POST", "/v2/session/passkeys/start", { password }, from(service.url))).body.data;
  const create = (service: TestService, browser: Browser, credential: object, name = "Laptop") =>
    browser.send("POST", "/v2/session/passkeys", { name, credential }, from(service.url));
  const startSignIn = async (service: TestService) =>
    (await service.client("").send("POST", "/v2/session/passkey/start", undefined, from(service.url))).body.data;
  const signIn = (service: TestService, credential: object) =>
    service.client("").send("POST", "/v2/session/passkey", { credential }, from(service.url));
  const refused = ({ status, body, headers }: Answer, about?: string) =>
    assert.deepEqual([status, body.code, headers.getSetCookie()], [401, "unauthorized", []], about);
  const invalid = ({ status, body }: Answer, about?: string) =>
    assert.deepEqual([status, body.detail?.issues?.[0]?.path], [422, "/credential"], about);

  /** A member with a passkey. */
  const memberWithPasskey = async (service: TestService, organization: TestOrganization) => {
    const email = `${newId()}@example.com`;
    const person = await join(service, organization, "member", { email });
    const device = new PasskeyDevice(service.url);
    const created = await create(service, person, device.create(await startCreation(service, person)));
    assert.equal(created.status, 200);
    return { ...person, email, device, passkey: created.body.data };
  };

  test("a passkey signs in without password and code; members can list and delete their passkeys", async () => {
    await using service = await open();
    const organization = await service.organization("Passkeys");
    const ada = await memberWithPasskey(service, organization);
    const { secret } = (await ada.send("POST", "/v2/session/totp", { password })).body.data;
    assert.equal((await ada.send("PUT", "/v2/session/totp", { code: codeOf(secret) })).status, 200);
    const list = async () => (await ada.send("GET", "/v2/session/passkeys")).body.data;
    const [listed, ...others] = await list();
    assert.deepEqual([listed.name, listed.last_used_at, others], ["Laptop", null, []]);

    const signedIn = await signIn(service, ada.device.get(await startSignIn(service)));
    assert.deepEqual([signedIn.status, signedIn.body.data.user.email], [200, ada.email]);
    const browser = browserOf(service, cookieOf(signedIn));
    assert.equal((await browser.send("GET", "/v2/agents")).status, 200);
    const [used] = await list();
    assert.ok(Math.abs(Date.parse(used.last_used_at) - Date.now()) < 60_000, used.last_used_at);
    assert.equal((await signIn(service, ada.device.get(await startSignIn(service)))).status, 200, "again");

    const stranger = await join(service, organization, "member");
    const path = `/v2/session/passkeys/${ada.passkey.id}`;
    assert.deepEqual((await stranger.send("GET", "/v2/session/passkeys")).body.data, []);
    assert.equal((await stranger.send("DELETE", path)).status, 404);
    assert.equal((await ada.send("DELETE", path)).status, 200);
    assert.equal((await ada.send("DELETE", path)).status, 404);
    refused(await signIn(service, ada.device.get(await startSignIn(service))), "deleted");

    const { body } = await organization.administrator.send("GET", "/v2/organization/audit");
    const { id } = signedIn.body.data.user;
    const actions = body.data
      .filter(({ target }: { target: string }) => target === id)
      .map(({ action, detail }: { action: string; detail: object }) => [action, detail]);
    assert.deepEqual(actions, [
      ["session.created", {}],
      ["passkey.created", { passkey: ada.passkey.id }],
      ["second_factor.started", {}],
      ["second_factor.enabled", {}],
      ["session.created", { by: "passkey" }],
      ["session.created", { by: "passkey" }],
      ["passkey.deleted", { passkey: ada.passkey.id }],
    ]);
  });

  test("of several concurrent uses of one signed challenge, exactly one succeeds", async () => {
    await using service = await open();
    const ada = await memberWithPasskey(service, await service.organization("Replayed"));
    const credential = ada.device.get(await startSignIn(service));
    const answers = await Promise.all(Array.from({ length: 6 }, () => signIn(service, credential)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(5).fill(401)]);
    refused(await signIn(service, credential));
  });

  test("a signature by another device, for another origin or challenge, or without user verification is refused", async () => {
    await using service = await open();
    const organization = await service.organization("Refused");
    const [ada, bob] = [await memberWithPasskey(service, organization), await memberWithPasskey(service, organization)];
    const challenge = () => startSignIn(service);
    const mixed = { ...bob.device.get(await challenge()), id: ada.device.get(await challenge()).id };
    refused(await signIn(service, mixed), "a passkey of another user");
    refused(await signIn(service, { ...mixed, rawId: mixed.id }), "a passkey of another user");
    refused(await signIn(service, ada.device.get(await challenge(), { isVerified: false })), "no user verification");
    for (const origin of ["https://sheaf.example", "http://127.0.0.1:1", service.url.replace("127.0.0.1", "localhost")])
      refused(await signIn(service, ada.device.get(await challenge(), { origin })), origin);
    refused(await signIn(service, ada.device.get(await startCreation(service, ada))), "a challenge for creation");
    refused(await signIn(service, ada.device.get({ challenge: "AAAA" })), "not a challenge of this service");
    const unknown = new PasskeyDevice(service.url);
    unknown.create({ challenge: "AAAA" });
    refused(await signIn(service, unknown.get(await challenge())), "unknown");
    assert.equal((await signIn(service, ada.device.get(await challenge()))).status, 200);
    await service.db.updateTable("passkeys").set({ host: "other.example" }).execute();
    refused(await signIn(service, ada.device.get(await challenge())), "created for another host");
  });

  test("a passkey is created only with the password and a new challenge of the same user", async () => {
    await using service = await open();
    const organization = await service.organization("Creation");
    const [ada, bob] = [await join(service, organization, "member"), await join(service, organization, "member")];
    const wrong = await ada.send("POST", "/v2/session/passkeys/start", { password: "guess" }, from(service.url));
    refused(wrong);
    const device = new PasskeyDevice(service.url);
    invalid(await create(service, ada, device.create(await startCreation(service, bob))), "a challenge of Bob");
    invalid(await create(service, ada, device.create(await startSignIn(service))), "a challenge for sign-in");
    const elsewhere = device.create(await startCreation(service, ada), "https://sheaf.example");
    invalid(await create(service, ada, elsewhere), "another origin");
    const options = await startCreation(service, ada);
    assert.deepEqual(
      [options.rp.id, options.authenticatorSelection.userVerification],
      [new URL(service.url).hostname, "required"],
    );
    const credential = device.create(options);
    assert.equal((await create(service, ada, credential)).status, 200);
    invalid(await create(service, ada, credential), "used");
    invalid(await create(service, ada, device.create(options)), "the challenge was used");
    assert.equal((await startCreation(service, ada)).excludeCredentials.length, 1);
    const { user_id } = await service.db.selectFrom("passkeys").select("user_id").executeTakeFirstOrThrow();
    const row = { user_id, name: "n", public_key: "k", host: "h", counter: 0, created_at: new Date().toISOString() };
    const rows = Array.from({ length: 19 }, (_, index) => ({ ...row, id: newId(), credential_id: `c${index}` }));
    await service.db.insertInto("passkeys").values(rows).execute();
    assert.equal((await create(service, ada, device.create(await startCreation(service, ada)))).status, 409);
  });

  test("the operator can delete the passkeys of users who lost their devices", async () => {
    await using service = await open();
    const ada = await memberWithPasskey(service, await service.organization("Lost"));
    await resetSecondFactor(service.db, ada.email);
    assert.deepEqual((await ada.send("GET", "/v2/session/passkeys")).body.data, []);
    refused(await signIn(service, ada.device.get(await startSignIn(service))));
    await assert.rejects(resetSecondFactor(service.db, ada.email), /nor passkeys/);
  });
});
