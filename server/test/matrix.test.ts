/**
 * Checks who may call each operation of the OpenAPI document, for each way to authenticate and
 * between two organizations. The expected results are derived from that document alone. For a new
 * operation the test fails until the helpers can create its parameters and body.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isId, newId, newUlid } from "../src/lib/ids.ts";
import { describeSideBySide } from "./helpers/databases.ts";
import { bodyFor } from "./helpers/operation-bodies.ts";
import { everyKind, fill } from "./helpers/operation-parameters.ts";
import { idMembers, namesOf, type Operation, operations, request, urlFor, words } from "./helpers/operations.ts";
import { credentialOf, join } from "./helpers/people.ts";
import { type Answer, openTestService, type TestClient, type TestService } from "./helpers/service.ts";
import { everyRow, storedFiles } from "./helpers/stored-rows.ts";
import { makeWorld, operationSettings, type TestCaller, type World } from "./helpers/world.ts";

const mark = "zebraquartz";

describeSideBySide("the permission matrix", (dialect) => {
  let service: TestService;
  let mine: World;
  let theirs: World;
  let their: Record<string, string>;

  before(async () => {
    service = await openTestService(dialect, {
      ...operationSettings,
      SHEAF_RATE_LIMIT: "0",
      SHEAF_ADDRESS_RATE_LIMIT: "0",
    });
    theirs = await makeWorld(service, mark);
    their = await everyKind(theirs);
    mine = await makeWorld(service, "mine");
    for (const caller of Object.values(mine.callers)) caller.send = watched(caller.send);
    await idle();
  });
  after(() => service[Symbol.asyncDispose]());

  /**
   * Wraps `send`, and asserts that no response reveals anything of the other organization. An id is
   * allowed if the path of the request contains it.
   */
  const watched =
    (send: TestClient["send"]): TestClient["send"] =>
    async (...call) => {
      const answer = await send(...call);
      const text = JSON.stringify([answer.body, [...answer.headers]]);
      for (const secret of [mark, ...Object.values(their)]) {
        const isTold = text.includes(secret) && !call[1].includes(secret);
        assert.ok(!isTold, `${call.slice(0, 2).join(" ")} reveals ${secret} of another organization: ${text}`);
      }
      return answer;
    };

  /**
   * Resolves when only delayed jobs are left: deliveries to unknown hosts, and purges of the index.
   */
  async function idle(): Promise<void> {
    const jobs = () =>
      service.db.selectFrom("jobs").select("id").where("name", "not in", ["delivery.send", "index.purge"]).execute();
    while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Waits until no job is running, and returns every row that refers to the other organization. */
  async function rowsOfTheirs(): Promise<string[]> {
    await idle();
    const ids = Object.values(their);
    const tables = Object.entries(await everyRow(service.db));
    const rows = tables.flatMap(([table, all]) => all.map((row) => `${table} ${row}`));
    return rows.filter((row) => ids.some((id) => row.includes(id)));
  }

  const secured = operations.filter(({ security }) => security.length > 0);
  const open = operations.filter(({ security }) => security.length === 0);
  const told = ({ status, body }: Answer) => [status, body?.code ?? null];

  test("the document has public operations and operations that need authentication", () => {
    assert.ok(secured.length > 30 && open.length > 10);
    for (const { operationId, security } of secured)
      for (const way of security) assert.deepEqual(Object.keys(way).length, 1, operationId);
  });

  test("callers without permission are refused before anything else in the request is checked", async () => {
    const { organization } = mine;
    const administrator = () => join(service, organization, "administrator");
    const [revoked, disabled, removed] = [await administrator(), await administrator(), await administrator()];
    const [ofRevoked, ofDisabled, ofRemoved] = [
      await credentialOf(service, revoked),
      await credentialOf(service, disabled),
      await credentialOf(service, removed),
    ];
    const off = await makeWorld(service, "off");
    const { token } = mine.callers;
    for (const [method, path, body] of [
      ["DELETE", `/v2/organization/credentials/${ofRevoked.clientId}`, undefined],
      ["PATCH", `/v2/organization/members/${disabled.memberId}`, { status: "disabled" }],
      ["DELETE", `/v2/organization/members/${removed.memberId}`, undefined],
    ] as const)
      assert.equal((await token.send(method, path, body)).status, 200);
    await off.callers.token.send("PATCH", "/v2/organization", { api_enabled: false });
    const nobody = service.client("").send;
    const [unauthorized, forbidden] = [
      [401, "unauthorized"],
      [403, "forbidden"],
    ];
    const withCookie =
      (cookie: string): TestClient["send"] =>
      (method, path, body, headers) =>
        nobody(method, path, body, { cookie, ...headers });
    const refused: [string, TestClient["send"], unknown[]][] = [
      ["without a token", nobody, unauthorized],
      ["with a rubbish token", service.client("rubbish").send, unauthorized],
      ["with a rubbish cookie", withCookie(`${disabled.cookie.split("=")[0]}=rubbish`), unauthorized],
      ["with the token of a revoked credential", ofRevoked.send, unauthorized],
      ["with the token of a disabled member", ofDisabled.send, unauthorized],
      ["with the token of a removed member", ofRemoved.send, unauthorized],
      ["in the session of a disabled member", disabled.send, forbidden],
      ["with a token where the API is switched off", off.callers.token.send, forbidden],
    ];
    for (const operation of secured) {
      const url = urlFor(operation, unknownIds(operation));
      await Promise.all(
        refused.map(async ([how, send, expected]) =>
          assert.deepEqual(told(await request(send, operation, url)), expected, `${operation.operationId} ${how}`),
        ),
      );
      for (const caller of Object.values(mine.callers))
        if (!isAllowed(operation, caller)) {
          const how = `${operation.operationId} for a ${caller.role} by ${caller.scheme}`;
          assert.deepEqual(told(await request(caller.send, operation, url)), forbidden, how);
        }
    }
  });

  test("public operations treat all callers alike, with or without a token", async () => {
    const { token, memberToken } = mine.callers;
    const nobody = watched(service.client("").send);
    for (const operation of open) {
      const [url, body] = [
        urlFor(operation, await fill(mine, token, operation)),
        await bodyFor(mine, token, operation),
      ];
      const expected = told(await request(nobody, operation, url, body));
      for (const send of [service.client("rubbish").send, token.send, memberToken.send])
        assert.deepEqual(told(await request(send, operation, url, body)), expected, operation.operationId);
    }
  });

  test("every permitted caller succeeds, and changes nothing of another organization", async () => {
    const before = await rowsOfTheirs();
    assert.ok(before.length > 20);
    for (const operation of secured)
      for (const [name, caller] of Object.entries(mine.callers)) {
        if (!isAllowed(operation, caller)) continue;
        const url = urlFor(operation, await fill(mine, caller, operation));
        const { status, body } = await request(caller.send, operation, url, await bodyFor(mine, caller, operation));
        assert.ok(
          status >= 200 && status < 300,
          `${operation.operationId} by ${name}: ${status} ${JSON.stringify(body)}`,
        );
      }
    assert.deepEqual(await rowsOfTheirs(), before);
  });

  /**
   * Operations whose response contains a secret. It is shown only once, so a repeated request is
   * refused.
   */
  const answersSecret = new Set(["createInvitation", "createCredential", "createScimToken"]);

  test("the same idempotency key can be used by two organizations independently", async () => {
    for (const operation of operations.filter((each) => namesOf(each, "header").includes("Idempotency-Key"))) {
      const key = { "idempotency-key": newId() };
      for (const world of [theirs, mine]) {
        const caller = world.callers.token;
        const [url, body] = [
          urlFor(operation, await fill(world, caller, operation)),
          await bodyFor(world, caller, operation),
        ];
        const answer = await request(caller.send, operation, url, body, key);
        assert.ok(answer.status < 300, `${operation.operationId}: ${JSON.stringify(answer.body)}`);
        assert.equal(answer.headers.get("idempotent-replayed"), null, operation.operationId);
        if (world === theirs) continue;
        const again = await request(caller.send, operation, url, body, key);
        if (answersSecret.has(operation.operationId)) {
          assert.deepEqual([again.status, again.body.code], [409, "conflict"], operation.operationId);
          assert.equal(typeof again.body.detail.reference, "string");
          continue;
        }
        assert.equal(again.headers.get("idempotent-replayed"), "true", operation.operationId);
        assert.deepEqual(plain(again), plain(answer));
      }
    }
  });

  test("a user of both organizations sees in each only the data of that organization", async () => {
    const email = `${newId()}@example.com`;
    const there = await join(service, theirs.organization, "member", { email });
    const here = await join(service, mine.organization, "member", { email });
    their.shared = there.memberId;
    for (const [world, memberId] of [
      [theirs, there.memberId],
      [mine, here.memberId],
    ] as const) {
      const body = { name: `Both ${world.mark}`, member_ids: [memberId] };
      const { send } = world.callers.token;
      const made = await send("POST", "/v2/organization/groups", body);
      assert.equal(made.status, 201);
      if (world === theirs) their.groupOfBoth = made.body.data.id;
      const groups = (await send("GET", "/v2/organization/groups")).body.data;
      assert.deepEqual(groups.find(({ name }: { name: string }) => name === body.name).member_ids, [memberId]);
      const chosen = { organization_id: world.organization.id };
      assert.equal((await here.send("PATCH", "/v2/session", chosen)).status, 200);
      const look = world === mine ? watched(here.send) : here.send;
      const agents = (await look("GET", "/v2/agents")).body.data as { name: string }[];
      assert.ok(agents.length > 0 && agents.every(({ name }) => name.includes(world.mark)));
    }
    const before = await rowsOfTheirs();
    assert.equal((await mine.callers.token.send("DELETE", `/v2/organization/members/${here.memberId}`)).status, 200);
    assert.deepEqual(await rowsOfTheirs(), before);
  });

  test("a cursor of another organization reveals nothing of its data", async () => {
    let tried = 0;
    for (const operation of secured.filter((each) => namesOf(each, "query").includes("cursor"))) {
      const place = {
        reference: their.agent ?? "",
        agentReference: their.learner ?? "",
        event: "extraction.completed",
      };
      const url = urlFor(operation, place);
      const first = await theirs.callers.token.send(operation.method, `${url}?limit=1`);
      const cursor = first.body.metadata.next_cursor;
      if (cursor === null) continue;
      tried++;
      const own = urlFor(operation, await fill(mine, mine.callers.token, operation));
      const answer = await mine.callers.token.send(operation.method, `${own}?${new URLSearchParams({ cursor })}`);
      assert.ok(answer.status === 200 || answer.status === 422, operation.operationId);
    }
    assert.ok(tried >= 3);
  });

  test("an id of another organization gets the same response as an unknown id, and nothing changes", async () => {
    const attempts: { what: string; sends: (id: string) => Promise<Answer> }[] = [];
    for (const operation of operations)
      for (const caller of [mine.callers.token, mine.callers.session])
        for (const what of await idPlaces(operation, caller)) attempts.push(what);
    assert.ok(attempts.length > 40);
    await idle();
    const [rows, files] = [await everyRow(service.db), await storedFiles(service)];
    for (const { what, sends } of attempts) {
      const [unknown, unknownUlid] = [plain(await sends(newId())), plain(await sends(newUlid()))];
      assert.ok(unknown.status >= 400 && unknown.status < 500, `${what}: ${JSON.stringify(unknown)}`);
      for (const [kind, id] of Object.entries(their)) {
        const expected = isId(id) ? unknown : unknownUlid;
        assert.deepEqual(plain(await sends(id)), expected, `${what} with the ${kind} of another organization`);
      }
    }
    assert.deepEqual(await everyRow(service.db), rows);
    assert.deepEqual(await storedFiles(service), files);
  });

  /**
   * Returns the attempts for an operation: one for each place of its request that contains an id.
   * `sends` puts a given id there, and ids that the caller may use into the other places. If the
   * path contains several ids, there are two more attempts: one with the id in all of them, and one
   * with the id beside the agent of the other organization.
   */
  async function idPlaces(operation: Operation, caller: TestCaller) {
    const { operationId } = operation;
    const ids = namesOf(operation, "path").filter((name) => !words.has(name));
    const members = idMembers(operation);
    if (ids.length === 0 && members.length === 0) return [];
    const filled = await fill(mine, caller, operation);
    const body = await bodyFor(mine, caller, operation);
    const inPath = (names: string[]) => ({
      what: `${operationId} by ${caller.scheme} at ${names.join(" and ")}`,
      sends: (id: string) => {
        const put = Object.fromEntries(names.map((name) => [name, id]));
        return request(caller.send, operation, urlFor(operation, { ...filled, ...put }), body);
      },
    });
    const inBody = ({ name, isList }: { name: string; isList: boolean }) => ({
      what: `${operationId} by ${caller.scheme} at ${name} of the body`,
      sends: (id: string) =>
        request(caller.send, operation, urlFor(operation, filled), { ...body, [name]: isList ? [id] : id }),
    });
    const inBoth = () => ({
      what: `${operationId} by ${caller.scheme} in their own corpus`,
      sends: (id: string) =>
        request(
          caller.send,
          operation,
          urlFor(operation, {
            ...filled,
            ...{ reference: their.agent ?? "", documentReference: id },
            ...{ agentReference: their.learner ?? "", correctionId: id },
          }),
        ),
    });
    return [
      ...ids.map((name) => inPath([name])),
      ...members.map(inBody),
      ...(ids.length > 1 ? [inPath(ids), inBoth()] : []),
    ];
  }
});

/**
 * Returns whether the OpenAPI document allows the call: one of the operation's ways to authenticate
 * must match the caller and the caller's role.
 */
const isAllowed = ({ security }: Operation, { scheme, role }: TestCaller): boolean =>
  security.some((way) => way[scheme]?.every((needed) => needed === role));

const unknownIds = (operation: Operation) =>
  Object.fromEntries(namesOf(operation, "path").map((name) => [name, newId()]));

const plain = ({ status, body }: Answer) => ({ status, body });
