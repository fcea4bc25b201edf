/** The second factor: authenticator app, recovery codes, limits, storage. */
import assert from "node:assert/strict";
import { join as pathOf } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { resetSecondFactor } from "../src/features/identity/second-factor.service.ts";
import { newId } from "../src/lib/ids.ts";
import { codeOf, wrongCodeOf } from "./helpers/authenticator.ts";
import { backUp, restore } from "./helpers/backups.ts";
import { createDatabase, describeOverDatabases } from "./helpers/databases.ts";
import { type Browser, browserOf, cookieOf, join, password } from "./helpers/people.ts";
import { run, temporaryFolder } from "./helpers/process.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

describeOverDatabases("second factor", (dialect) => {
  const settings = { SHEAF_TRUSTED_PROXIES: "127.0.0.1", SHEAF_ADDRESS_RATE_LIMIT: "0" };
  const open = (more: Record<string, string> = {}) => openTestService(dialect, { ...settings, ...more });

  /** Signs in. Retries if a busy service refuses the request by load shedding. */
  const signIn = async (
    service: TestService,
    body: { email: string; password?: string; code?: string },
    address = "203.0.113.7",
  ): Promise<Answer> => {
    const headers = { "x-forwarded-for": address };
    const answer = await service.client("").send("POST", "/v2/session", { password, ...body }, headers);
    if (answer.status !== 503) return answer;
    await sleep(200);
    return signIn(service, body, address);
  };
  const start = (browser: Browser) => browser.send("POST", "/v2/session/totp", { password });
  const confirm = (browser: Browser, code: string) => browser.send("PUT", "/v2/session/totp", { code });
  const turnOff = (browser: Browser, body: object) => browser.send("DELETE", "/v2/session/totp", body);
  const codesOf = ({ status, body, headers }: Answer) => [status, body.code, headers.getSetCookie().length];
  const required = [401, "second_factor_required", 0];
  const wrongPassword = [401, "unauthorized", 0];
  /** Simulates that the 30 seconds for which the last code is valid have passed. */
  const passTime = ({ db }: TestService) => db.updateTable("second_factors").set({ last_step: 0 }).execute();

  /** Creates a member with a second factor. */
  const protectedMember = async (service: TestService, organization: TestOrganization) => {
    const email = `${newId()}@example.com`;
    const person = await join(service, organization, "member", { email });
    const { secret } = (await start(person)).body.data;
    const confirmed = await confirm(person, codeOf(secret));
    assert.equal(confirmed.status, 200);
    await passTime(service);
    const recoveryCodes: string[] = confirmed.body.data.recovery_codes;
    const { id } = (await person.send("GET", "/v2/session")).body.data.user;
    return { ...person, id: id as string, email, secret: secret as string, recoveryCodes };
  };
  const factorOf = async (browser: Browser) => (await browser.send("GET", "/v2/session")).body.data.user.second_factor;

  test("an authenticator app is set up with the password and a code; sign-in then needs a code that was not used before", async () => {
    await using service = await open();
    const organization = await service.organization("Factors");
    const email = `${newId()}@example.com`;
    const ada = await join(service, organization, "member", { email });
    const other = browserOf(service, cookieOf(await signIn(service, { email })));
    assert.equal((await service.client("").send("POST", "/v2/session/totp", { password })).status, 401);
    assert.deepEqual(codesOf(await ada.send("POST", "/v2/session/totp", { password: "guess" })), wrongPassword);
    assert.equal((await confirm(ada, "123456")).status, 409);
    const first = (await start(ada)).body.data.secret;
    const started = await start(ada);
    const { secret, uri } = started.body.data;
    assert.deepEqual([started.status, started.headers.get("cache-control")], [200, "no-store"]);
    assert.match(secret, /^[A-Z2-7]{36}$/);
    assert.equal(
      uri,
      `otpauth://totp/Sheaf:${encodeURIComponent(email)}?secret=${secret}&issuer=Sheaf&digits=6&period=30`,
    );

    assert.deepEqual(codesOf(await confirm(ada, codeOf(first))), required, "the first secret was replaced");
    assert.equal((await signIn(service, { email })).status, 200, "an unconfirmed second factor is not required");
    assert.equal(await factorOf(ada), "none");
    const code = codeOf(secret);
    const confirmed = await confirm(ada, ` ${code.replace(/^.../, "$& ")}`);
    assert.equal(confirmed.status, 200);
    const codes: string[] = confirmed.body.data.recovery_codes;
    assert.ok(new Set(codes).size === 10 && codes.every((code) => /^[0-9a-z]{5}-[0-9a-z]{5}$/.test(code)), `${codes}`);
    assert.equal(await factorOf(ada), "totp");
    assert.equal((await other.send("GET", "/v2/session")).status, 401, "other sessions have ended");
    assert.equal((await start(ada)).status, 409);
    assert.equal((await confirm(ada, codeOf(secret))).status, 409);

    assert.deepEqual(codesOf(await signIn(service, { email })), required);
    assert.deepEqual(codesOf(await signIn(service, { email, code: wrongCodeOf(secret) })), required);
    assert.deepEqual(
      codesOf(await signIn(service, { email, code })),
      required,
      "a code that confirmed the second factor cannot be used again",
    );
    await passTime(service);
    const unknown = await signIn(service, { email: "nobody@example.com", password: "guess" });
    for (const given of [{}, { code: codeOf(secret) }, { code: codes[0] ?? "" }]) {
      const answer = await signIn(service, { email, password: "guess", ...given });
      assert.deepEqual(codesOf(answer), wrongPassword);
      assert.deepEqual(
        answer.body,
        unknown.body,
        "a response to a wrong password does not reveal that there is a second factor",
      );
    }
    const next = codeOf(secret);
    const signedIn = await signIn(service, { email, code: next });
    assert.deepEqual([signedIn.status, signedIn.body.data.user.second_factor], [200, "totp"]);
    assert.deepEqual(codesOf(await signIn(service, { email, code: next })), required, "used");

    const written = `${codes[3]?.toUpperCase().replace("-", " ").replaceAll("0", "O").replaceAll("1", "l")} `;
    assert.equal((await signIn(service, { email, code: written })).status, 200);
    assert.deepEqual(codesOf(await signIn(service, { email, code: codes[3] ?? "" })), required, "used");

    const rows = JSON.stringify([
      await service.db.selectFrom("second_factors").selectAll().execute(),
      await service.db.selectFrom("recovery_codes").selectAll().execute(),
      await service.db.selectFrom("audit_entries").selectAll().execute(),
    ]);
    assert.match(rows, /"secret":"v1\./);
    for (const text of [secret, ...codes]) assert.ok(!rows.includes(text));
  });

  test("changes, refused codes and used recovery codes are audited", async () => {
    await using service = await open();
    const organization = await service.organization("Audited");
    const ada = await protectedMember(service, organization);
    const { email, secret, recoveryCodes } = ada;
    await signIn(service, { email, code: wrongCodeOf(secret) });
    await signIn(service, { email, code: codeOf(secret) });
    const last = browserOf(service, cookieOf(await signIn(service, { email, code: recoveryCodes[0] ?? "" })));
    assert.equal((await turnOff(last, { password })).status, 200);
    const { body } = await organization.administrator.send("GET", "/v2/organization/audit");
    const about = body.data.filter(({ target }: { target: string }) => target === ada.id);
    const shown = about.map((entry: { action: string; detail: object; actor: { kind: string; user_id: string } }) => [
      entry.action,
      entry.detail,
      entry.actor.user_id,
    ]);
    assert.deepEqual(shown, [
      ["session.created", {}, ada.id],
      ["second_factor.started", {}, ada.id],
      ["second_factor.enabled", {}, ada.id],
      ["session.refused", { reason: "second factor" }, null],
      ["session.created", { second_factor: "totp" }, ada.id],
      ["recovery_code.used", { left: 9 }, ada.id],
      ["session.created", { second_factor: "recovery code" }, ada.id],
      ["second_factor.disabled", {}, ada.id],
    ]);
    assert.ok(about.every(({ address }: { address: string }) => ["203.0.113.7", "127.0.0.1"].includes(address)));
  });

  test("if one code is used several times at once, even in two processes, exactly one use succeeds", async () => {
    await using service = await open();
    const { database, keysDir, filesDir } = service.config;
    const shared = database.dialect === "postgres" ? { DATABASE_URL: database.url } : undefined;
    await using twin = shared && (await open({ ...shared, SHEAF_KEYS_DIR: keysDir, SHEAF_FILES_DIR: filesDir }));
    const organization = await service.organization("Concurrent");
    for (const kind of ["totp", "recovery code"]) {
      const { email, secret, recoveryCodes } = await protectedMember(service, organization);
      const code = kind === "totp" ? codeOf(secret) : (recoveryCodes[0] ?? "");
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => signIn(index % 2 ? service : (twin ?? service), { email, code })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(401)], kind);
    }
    const bob = await join(service, organization, "member");
    const { secret } = (await start(bob)).body.data;
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(bob, codeOf(secret))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    const codes = await service.db.selectFrom("recovery_codes").select("user_id").execute();
    assert.equal(codes.length, 10 + 9 + 10);
  });

  test("wrong codes are limited like wrong passwords, and to ten a day; sign-ins without a code do not count", async () => {
    await using service = await open();
    const organization = await service.organization("Limited");
    const { email, secret, id, recoveryCodes } = await protectedMember(service, organization);
    const home = "198.51.100.1";
    assert.equal((await signIn(service, { email, code: codeOf(secret) }, home)).status, 200);
    await passTime(service);
    const stranger = (index: number) => `192.0.2.${index}`;
    for (let index = 0; index < 12; index++)
      assert.deepEqual(codesOf(await signIn(service, { email }, stranger(index))), required);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        signIn(service, { email, code: index % 2 ? wrongCodeOf(secret) : `wrong-code${index}` }, stranger(index)),
      ),
    );
    const count = (status: number) => guesses.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(401), count(429)], [10, 10]);
    const byPasswords = Number((await signIn(service, { email }, stranger(99))).headers.get("retry-after"));
    assert.ok(byPasswords > 300 && byPasswords <= 360, `${byPasswords}`);
    // Refills the quota for wrong passwords. The daily limit for wrong codes must still apply.
    await service.db.updateTable("sign_in_limits").set({ full_at: 0 }).where("subject", "=", id).execute();
    assert.deepEqual(codesOf(await signIn(service, { email }, stranger(99))), required);
    for (const code of [codeOf(secret), recoveryCodes[0] ?? ""]) {
      const late = await signIn(service, { email, code }, stranger(99));
      const wait = Number(late.headers.get("retry-after"));
      assert.equal(late.status, 429);
      assert.ok(wait > 8_000 && wait <= 8_640, `${wait}`);
    }
    assert.equal(
      (await signIn(service, { email, code: codeOf(secret) }, home)).status,
      200,
      "the network from which the owner signed in before is not limited",
    );
  });

  test("a network counts as known only after a sign-in with password and code, not with the password alone", async () => {
    await using service = await open();
    const organization = await service.organization("Networks");
    const { email, secret, id } = await protectedMember(service, organization);
    await signIn(service, { email }, "192.0.2.1");
    await signIn(service, { email, code: wrongCodeOf(secret) }, "192.0.2.1");
    const known = () =>
      service.db
        .selectFrom("sign_in_limits")
        .select("network")
        .where("subject", "=", id)
        .where("network", "=", "192.0.2.1")
        .execute();
    assert.deepEqual(await known(), []);
    await signIn(service, { email, code: codeOf(secret) }, "192.0.2.1");
    assert.equal((await known()).length, 1);
  });

  test("the second factor is turned off with the password, a code or a recovery code, and with nothing else", async () => {
    await using service = await open();
    const organization = await service.organization("Off");
    for (const kind of ["password", "totp", "recovery code"]) {
      const ada = await protectedMember(service, organization);
      assert.equal((await turnOff(ada, {})).status, 422);
      assert.equal((await turnOff(ada, { password, code: "123456" })).status, 422);
      assert.deepEqual(codesOf(await turnOff(ada, { password: "guess" })), wrongPassword);
      assert.deepEqual(codesOf(await turnOff(ada, { code: wrongCodeOf(ada.secret) })), required);
      assert.equal(await factorOf(ada), "totp");
      const proof = {
        password: { password },
        totp: { code: codeOf(ada.secret) },
        "recovery code": { code: ada.recoveryCodes[9] },
      }[kind];
      assert.equal((await turnOff(ada, proof ?? {})).status, 200, kind);
      assert.equal(await factorOf(ada), "none");
      assert.equal((await turnOff(ada, { password })).status, 409);
      assert.equal((await signIn(service, { email: ada.email })).status, 200);
      assert.deepEqual(await service.db.selectFrom("recovery_codes").selectAll().execute(), []);
    }
  });

  test("a new secret must be confirmed within 15 minutes", async () => {
    await using service = await open();
    const organization = await service.organization("Pending");
    const ada = await join(service, organization, "member");
    const { secret } = (await start(ada)).body.data;
    const startedAgo = (minutes: number) =>
      service.db
        .updateTable("second_factors")
        .set({ created_at: new Date(Date.now() - minutes * 60_000).toISOString() })
        .execute();
    await startedAgo(15.1);
    assert.equal((await confirm(ada, codeOf(secret))).status, 409);
    await startedAgo(14);
    assert.equal((await confirm(ada, codeOf(secret))).status, 200);
  });

  test("accepting an invitation with the password of an existing account also needs a code of its second factor", async () => {
    await using service = await open();
    const [first, second] = [await service.organization("First"), await service.organization("Second")];
    const ada = await protectedMember(service, first);
    const invite = async () =>
      (await second.administrator.send("POST", "/v2/organization/invitations", { email: ada.email })).body.data.token;
    const accept = (body: object) =>
      service.client("").send("POST", "/v2/invitations/accept", { token, password, ...body });
    let token = await invite();
    assert.deepEqual(codesOf(await accept({})), required);
    assert.deepEqual(codesOf(await accept({ code: wrongCodeOf(ada.secret) })), required);
    const accepted = await accept({ code: codeOf(ada.secret) });
    assert.deepEqual([accepted.status, accepted.body.data.user.id], [200, ada.id]);
    assert.equal(accepted.body.data.organizations.length, 2);

    const third = await service.organization("Third");
    token = (await third.administrator.send("POST", "/v2/organization/invitations", { email: ada.email })).body.data
      .token;
    const separate = await accept({ password: "another good one", code: codeOf(ada.secret) });
    assert.deepEqual([separate.status, separate.body.data.user.second_factor], [200, "none"]);
    assert.notEqual(separate.body.data.user.id, ada.id);
  });

  test("the operator can turn off the second factor of a user who is locked out", async () => {
    await using service = await open();
    const organization = await service.organization("Locked out");
    const ada = await protectedMember(service, organization);
    await assert.rejects(resetSecondFactor(service.db, "nobody@example.com"), /There is no user/);
    const { database, dataDir } = service.config;
    const environment = {
      SHEAF_DATA_DIR: dataDir,
      ...(database.dialect === "postgres" && { DATABASE_URL: database.url }),
    };
    const command = (...args: string[]) => run(["user", "second-factor", ...args], environment);
    const on = await command("on", ada.email);
    assert.deepEqual([on.code, /only allowed state is off/.test(on.stderr)], [1, true], on.stderr);
    const off = await command("off", ada.email);
    assert.deepEqual([off.code, off.stdout], [0, `The second factor of ${ada.email} is off.\n`], off.stderr);
    assert.equal((await signIn(service, { email: ada.email })).status, 200);
    await assert.rejects(resetSecondFactor(service.db, ada.email), /has neither a second factor nor passkeys/);
    const entry = await service.db
      .selectFrom("audit_entries")
      .select(["target", "operator"])
      .where("action", "=", "second_factor.disabled")
      .executeTakeFirst();
    assert.deepEqual([entry?.target, entry?.operator], [ada.id, "cli"]);
  });

  test("a restored backup has the same second factors, recovery codes and passkeys", async () => {
    await using folder = await temporaryFolder();
    await using service = await open();
    const organization = await service.organization("Restored");
    const { email, secret, recoveryCodes, id } = await protectedMember(service, organization);
    const passkey = { id: newId(), user_id: id, name: "Laptop", credential_id: "c", public_key: "k", host: "h" };
    await service.db
      .insertInto("passkeys")
      .values({ ...passkey, counter: 2 ** 32 - 1, created_at: new Date().toISOString() })
      .execute();
    const { database, dataDir } = service.config;
    const here = {
      SHEAF_DATA_DIR: dataDir,
      DATABASE_URL: database.dialect === "postgres" ? database.url : undefined,
    };
    const backup = pathOf(folder.path, "backup");
    await backUp({ settings: here }, backup);
    const other = await createDatabase(dialect);
    const there = { SHEAF_DATA_DIR: pathOf(folder.path, "data"), ...(other.url && { DATABASE_URL: other.url }) };
    try {
      await restore(backup, { settings: there });
      await using restored = await open(there);
      assert.deepEqual(codesOf(await signIn(restored, { email })), required);
      const signedIn = await signIn(restored, { email, code: codeOf(secret) });
      assert.equal(signedIn.status, 200);
      const { body } = await browserOf(restored, cookieOf(signedIn)).send("GET", "/v2/session/passkeys");
      assert.deepEqual(
        body.data.map(({ name }: { name: string }) => name),
        ["Laptop"],
      );
      assert.equal((await signIn(restored, { email, code: recoveryCodes[5] ?? "" })).status, 200);
    } finally {
      await other.drop();
    }
  });
});
