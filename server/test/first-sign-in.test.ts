/** The one-time link with which the first administrator signs in. */
import assert from "node:assert/strict";
import { stat, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { firstSignInFile, renewFirstSignInLink } from "../src/features/identity/first-sign-in.service.ts";
import { resetPassword } from "../src/features/identity/users.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { browserOf, cookieOf } from "./helpers/people.ts";
import { openTestService, type TestService } from "./helpers/service.ts";
import { makeWebBuild, type WebBuild } from "./helpers/web-build.ts";

const password = "correct horse battery";
const first = "administrator@sheaf.localhost";

describeOverDatabases("first sign-in", (dialect) => {
  let build: WebBuild;
  before(async () => {
    build = await makeWebBuild();
  });
  after(() => build[Symbol.asyncDispose]());

  const open = (settings: Record<string, string> = {}) =>
    openTestService(dialect, { SHEAF_WEB_DIR: build.folder, SHEAF_ADDRESS_RATE_LIMIT: "0", ...settings });
  const tokenOf = (service: TestService) =>
    /^\S+\/welcome#token=(first_[\w-]{43})$/.exec(service.firstSignInUrl ?? "")?.[1] ?? "";
  const use = (service: TestService, token: string, headers: Record<string, string> = {}) =>
    service.client("").send("POST", "/v2/session/first", { token }, headers);
  const linksOf = async ({ db }: TestService) => db.selectFrom("first_sign_in_links").selectAll().execute();
  /** Creates a link, as the process named `worker` does when it starts. */
  const renew = ({ db, keys }: TestService, worker: string, hasPage = true) =>
    renewFirstSignInLink({ db, keys }, { worker, hasPage });
  const refused = async (service: TestService, token: string, about: string) => {
    const { status, body, headers } = await use(service, token);
    assert.deepEqual([status, body.code, headers.getSetCookie()], [401, "unauthorized", []], about);
  };

  test("the administrator signs in with the link, and can then set a password without giving a current one", async () => {
    await using service = await open();
    const token = tokenOf(service);
    assert.ok(service.firstSignInUrl?.startsWith(`${service.url}/welcome#token=`), service.firstSignInUrl);
    await writeFile(firstSignInFile(service.config.dataDir), token);
    const [row, ...others] = await linksOf(service);
    assert.ok(row && others.length === 0 && !JSON.stringify(row).includes(token.slice(6)), "only a hash is stored");
    assert.ok(Math.abs(Date.parse(row.expires_at) - Date.now() - 24 * 3_600_000) < 60_000, row.expires_at);

    const opened = await use(service, token, { "user-agent": "First/1" });
    assert.equal(opened.status, 200);
    const { user, organizations, organization_id } = opened.body.data;
    assert.deepEqual([user.email, user.has_password], [first, false]);
    assert.deepEqual(organizations, [{ organization_id, name: "Default", role: "administrator" }]);
    assert.match(opened.headers.getSetCookie()[0] ?? "", /HttpOnly.*SameSite=Lax/);
    assert.equal(opened.headers.get("cache-control"), "no-store");
    await assert.rejects(stat(firstSignInFile(service.config.dataDir)), { code: "ENOENT" });
    await refused(service, token, "used");
    assert.deepEqual(await linksOf(service), []);

    const ada = browserOf(service, cookieOf(opened));
    const audit = (await ada.send("GET", "/v2/organization/audit?order=newest")).body.data;
    const [signedIn, created] = audit;
    assert.deepEqual([signedIn.action, signedIn.target, signedIn.actor.kind], ["session.created", user.id, "session"]);
    assert.deepEqual([signedIn.detail, signedIn.address], [{ by: "first sign-in link" }, "127.0.0.1"]);
    assert.deepEqual([created.action, created.target], ["first_sign_in_link.created", user.id]);

    const change = (body: object, at = ada) => at.send("PUT", "/v2/session/password", body);
    assert.equal((await change({ new_password: "password123" })).status, 422);
    assert.equal((await change({ new_password: password, current_password: "guess" })).status, 401);
    const changed = await change({ new_password: password });
    assert.deepEqual([changed.status, changed.body.data.user.has_password], [200, true]);
    assert.equal((await ada.send("GET", "/v2/session")).status, 401);
    const again = browserOf(service, cookieOf(changed));
    const missing = await change({ new_password: "another good one" }, again);
    assert.deepEqual(
      [missing.status, missing.body.detail.issues],
      [422, [{ path: "/current_password", message: "is required" }]],
    );
    assert.equal((await change({ new_password: "another good one", current_password: password }, again)).status, 200);
    assert.equal(await renew(service, "a later start"), undefined);
  });

  test("if a link is used several times at once, exactly one use succeeds, even with the links of two processes", async () => {
    await using service = await open();
    const tokens = [tokenOf(service), (await renew(service, "another process")) ?? ""];
    assert.equal((await linksOf(service)).length, 2);
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => use(service, tokens[index % 2] ?? "")));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(15).fill(401)]);
    const [sessions, links] = [await service.db.selectFrom("sessions").select("id").execute(), await linksOf(service)];
    assert.deepEqual([sessions.length, links.length], [1, 0]);
  });

  test("a start replaces the link of the same process, deletes expired links, and keeps those of other processes", async () => {
    await using service = await open();
    const [own] = await linksOf(service);
    const before = tokenOf(service);
    const other = await renew(service, "another process");
    const renewed = await renew(service, own?.worker ?? "");
    await refused(service, before, "replaced");
    await service.db
      .updateTable("first_sign_in_links")
      .set({ expires_at: new Date(Date.now() - 1).toISOString() })
      .where("worker", "=", own?.worker ?? "")
      .execute();
    await refused(service, renewed ?? "", "expired");
    await renew(service, "a third process", false);
    assert.deepEqual(
      (await linksOf(service)).map(({ worker }) => worker),
      ["another process"],
    );
    assert.equal((await use(service, other ?? "")).status, 200);
  });

  if (dialect === "postgres")
    test("the link of one process can be used at another process on the same database", async () => {
      await using service = await open();
      const { database, keysDir, filesDir } = service.config;
      if (database.dialect === "sqlite") return assert.fail("only one process can open the SQLite file");
      await using twin = await open({ DATABASE_URL: database.url, SHEAF_KEYS_DIR: keysDir, SHEAF_FILES_DIR: filesDir });
      assert.notEqual(tokenOf(twin), tokenOf(service));
      const answers = await Promise.all([use(twin, tokenOf(service)), use(service, tokenOf(twin))]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
    });

  test("as soon as any administrator of the first organization has a password, the link is invalid", async () => {
    await using service = await open();
    const token = tokenOf(service);
    // The passwords of administrators of other organizations have no effect on the link.
    const elsewhere = await service.organization("Elsewhere");
    await resetPassword(service.db, elsewhere.administrator.userId, password);
    assert.equal((await linksOf(service)).length, 1);
    await resetPassword(service.db, first, password);
    assert.deepEqual(await linksOf(service), []);
    await refused(service, token, "there is a password");

    // Inserts a password directly, as if it had been set in another way, such as by accepting an
    // invitation.
    await service.db.deleteFrom("accounts").execute();
    const renewed = await renew(service, "worker");
    const { user_id } = await service.db
      .selectFrom("members as m")
      .innerJoin("users as u", "u.id", "m.user_id")
      .select("m.user_id")
      .where("u.address", "=", first)
      .executeTakeFirstOrThrow();
    const at = new Date().toISOString();
    const account = { id: newId(), user_id, account_id: user_id, provider_id: "credential", password: "x" };
    await service.db
      .insertInto("accounts")
      .values({ ...account, created_at: at, updated_at: at })
      .execute();
    await refused(service, renewed ?? "", "there is a password");
    await service.db.updateTable("members").set({ status: "disabled" }).where("user_id", "=", user_id).execute();
    await refused(service, renewed ?? "", "a disabled administrator has a password");
    assert.equal(await renew(service, "worker"), undefined);
  });

  test("without the web application no link is created, and wrong tokens are refused", async () => {
    await using service = await open({ SHEAF_WEB_DIR: `${build.folder}/none` });
    assert.equal(service.firstSignInUrl, undefined);
    assert.deepEqual(await linksOf(service), []);
    for (const token of ["first_", "x", `first_${"A".repeat(43)}`, "' or 1=1 --"]) await refused(service, token, token);
    for (const body of [{}, { token: "" }, { token: 1 }, { token: "x".repeat(201) }])
      assert.equal((await service.client("").send("POST", "/v2/session/first", body)).status, 422);
    assert.deepEqual(await service.db.selectFrom("sessions").selectAll().execute(), []);
  });

  test("another site cannot use a link, and guessing a link is limited like guessing a password", async () => {
    await using service = await open({ SHEAF_ADDRESS_RATE_LIMIT: "50" });
    const token = tokenOf(service);
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }])
      assert.equal((await use(service, token, headers as Record<string, string>)).status, 403);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) statuses.push((await use(service, `first_${guess}`)).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429]);
    assert.equal((await linksOf(service)).length, 1);
  });

  test("using the link ends the previous session of the browser", async () => {
    await using service = await open();
    const before = await use(service, tokenOf(service));
    const token = await renew(service, "worker");
    const { status } = await use(service, token ?? "", { cookie: cookieOf(before) });
    assert.equal(status, 200);
    assert.equal((await browserOf(service, cookieOf(before)).send("GET", "/v2/session")).status, 401);
  });
});
