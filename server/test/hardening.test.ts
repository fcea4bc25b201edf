/**
 * Requests crafted to confuse parsers. Each request gets exactly one response, in the envelope, and
 * the bytes after it are not parsed as another request.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, sampleBase64 } from "./helpers/corpus.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { everyRow } from "./helpers/stored-rows.ts";

let service: TestService;
let organization: TestOrganization;
before(async () => {
  service = await openTestService("sqlite");
  organization = await service.organization("Hard House");
});
after(() => service[Symbol.asyncDispose]());

interface RawAnswer {
  status: number;
  headers: string;
  body: string;
}

/**
 * Returns every response on a connection, until the service closes it or `patienceMs` have passed.
 */
async function exchange(text: string, patienceMs = 5_000): Promise<{ answers: RawAnswer[]; closed: boolean }> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (data: string) => {
    received += data;
  });
  socket.on("error", () => {});
  socket.write(Buffer.from(text, "latin1"));
  const closed = await Promise.race([
    new Promise<boolean>((resolve) => socket.on("close", () => resolve(true))),
    new Promise<boolean>((resolve) => setTimeout(resolve, patienceMs, false)),
  ]);
  socket.destroy();
  const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const [headers = "", ...body] = answer.split("\r\n\r\n");
    return { status: Number(headers.slice(9, 12)), headers, body: body.join("\r\n\r\n") };
  });
  return { answers, closed };
}

/**
 * A request that must get no response. The service responds to it only if it misjudges where the
 * previous request ends.
 */
const smuggled = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
const chunked = "Transfer-Encoding: chunked\r\n\r\n";

test("a request with ambiguous framing is refused, its connection is closed, and the bytes after it are not parsed as a request", async () => {
  const post = `POST /v2/agents HTTP/1.1\r\nHost: x\r\nx-api-key: ${organization.administrator.token}\r\nContent-Type: application/json\r\n`;
  const get = post.replace("POST", "GET");
  const cases = {
    "length and chunks": `${post}Content-Length: 5\r\n${chunked}0\r\n\r\n`,
    "chunks and length": `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    "two lengths": `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    "the same length twice": `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    "a list of lengths": `${post}Content-Length: 2, 2\r\n\r\n{}`,
    "a signed length": `${post}Content-Length: +2\r\n\r\n{}`,
    "a negative length": `${post}Content-Length: -2\r\n\r\n{}`,
    "a hexadecimal length": `${post}Content-Length: 0x2\r\n\r\n{}`,
    "a length beyond 64 bits": `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`,
    "a space before the colon": `${post}Content-Length : 2\r\n\r\n{}`,
    "an unknown transfer encoding": `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    "chunked before another encoding": `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    "chunked twice": `${post}Transfer-Encoding: chunked\r\n${chunked}0\r\n\r\n`,
    "a vertical tab": `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
    "a chunk size of letters": `${post}${chunked}zz\r\n{}\r\n0\r\n\r\n`,
    "a negative chunk size": `${post}${chunked}-2\r\n{}\r\n0\r\n\r\n`,
    "a chunk size with 0x": `${post}${chunked}0x2\r\n{}\r\n0\r\n\r\n`,
    "a chunk size beyond 64 bits": `${post}${chunked}fffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
    "a bare LF after a chunk size": `${post}${chunked}2\n{}\r\n0\r\n\r\n`,
    "a bare LF in a chunk extension": `${post}${chunked}2;a\n\r\n{}\r\n0\r\n\r\n`,
    "a chunk without its end": `${post}${chunked}2\r\n{}0\r\n\r\n`,
    "a bare LF after a header": "GET /v2/agents HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
    "bare LFs alone": "GET /v2/agents HTTP/1.1\nHost: x\n\n",
    "a bare CR": "GET /v2/agents HTTP/1.1\r\nHost: x\rA: b\r\n\r\n",
    "a folded header": `${get}A: b\r\n c: d\r\n\r\n`,
    "NUL in a header": `${get}A: b\0c\r\n\r\n`,
    "no host": "GET /v2/agents HTTP/1.1\r\n\r\n",
    "two hosts": "GET /v2/agents HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
    "a space in the path": "GET /v2/ag ents HTTP/1.1\r\nHost: x\r\n\r\n",
    "an unknown method": "FOO /v2/agents HTTP/1.1\r\nHost: x\r\n\r\n",
    "HTTP 2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP 3": "GET / HTTP/3.0\r\nHost: x\r\n\r\n",
    TLS: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "an expectation": `${post}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`,
    "a path of 40 kB": `GET /v2/${"a".repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "5,000 headers": `${get}${Array.from({ length: 5000 }, (_, i) => `a${i}: b\r\n`).join("")}\r\n`,
  };
  const statuses: Record<string, number> = { "an expectation": 417, "a path of 40 kB": 431, "5,000 headers": 431 };
  for (const [name, text] of Object.entries(cases)) {
    const { answers, closed } = await exchange(text + smuggled);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [statuses[name] ?? 400],
      name,
    );
    assert.ok(closed, `${name}: the connection is closed`);
    const [answer] = answers;
    assert.match(answer?.headers ?? "", /content-type: application\/json/i, name);
    const { status, code, error, detail } = JSON.parse(answer?.body ?? "");
    assert.deepEqual([status, code, detail.issues.length], ["error", "invalid_request", 1], name);
    assert.equal(typeof error, "string");
  }
});

test("unusual but valid requests are served as usual", async () => {
  const { token } = organization.administrator;
  const start = `HTTP/1.1\r\nHost: x\r\nx-api-key: ${token}\r\nContent-Type: application/json\r\n`;
  const cases: [string, number[]][] = [
    [`POST /v2/agents ${start}${chunked}2;extension=1\r\n{}\r\n0\r\n\r\n${smuggled}`, [422, 200]],
    [`POST /v2/agents ${start}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, [422]],
    [`POST /v2/agents ${start}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`, [100, 422]],
    [`GET /v2/agents ${start}Content-Length: 5\r\n\r\nhello${smuggled}`, [200, 200]],
    [`GET /v2/agents/${"a".repeat(10_000)} ${start}\r\n`, [404]],
    [`GET /v2/${"a".repeat(20_000)} ${start}\r\n`, [404]],
    [`GET /v2/agents/%ff ${start}\r\n`, [404]],
    [`TRACE /v2/agents ${start}\r\n`, [404]],
    [`OPTIONS * ${start}\r\n`, [404]],
    [`HEAD /v2/agents ${start}\r\n`, [404]],
    [`GET /v2/agents ${start}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, [200]],
    ["GET /healthz HTTP/1.0\r\n\r\n", [200]],
  ];
  const all = await Promise.all(cases.map(([text]) => exchange(text, 3_000)));
  for (const [index, { answers }] of all.entries()) {
    const [text, expected] = cases[index] as [string, number[]];
    const shown = text.slice(0, 60);
    assert.deepEqual(
      answers.map(({ status }) => status),
      expected,
      shown,
    );
    for (const { status, headers, body } of answers) {
      if (status === 100) continue;
      assert.match(headers, /^x-request-id: [0-9a-f-]{36}$/im, shown);
      assert.match(headers, /^cache-control: no-store$/im, shown);
      assert.match(headers, /^x-content-type-options: nosniff$/im, shown);
      assert.match(headers, /^content-security-policy: default-src 'none'; frame-ancestors 'none'$/im, shown);
      if (status >= 400 && !text.startsWith("HEAD")) assert.equal(JSON.parse(body).status, "error", shown);
    }
  }
});

test("a body must be plain JSON, whatever its Content-Encoding or Content-Type claims", async () => {
  const { administrator } = organization;
  const headers: Record<string, string>[] = [
    { "content-type": "" },
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "multipart/form-data; boundary=x" },
    { "content-type": "application/jsonx" },
    { "content-type": "application/json, text/plain" },
    { "content-encoding": "gzip" },
    { "content-encoding": "deflate" },
    { "content-encoding": "br" },
    { "content-encoding": "gzip, identity" },
  ];
  for (const path of ["/v2/agents", "/v2/extractor", `/v2/knowledge/${newId()}`]) {
    for (const head of headers) {
      const { status, body } = await administrator.send("POST", path, "{}", head);
      assert.deepEqual([status, body.code], [422, "invalid_request"], `${path} ${JSON.stringify(head)}`);
    }
  }
  const accepted = { "content-type": "Application/JSON ; charset=utf-8", "content-encoding": "Identity" };
  const body = { name: "A", type: "EXTRACTOR" };
  assert.equal((await administrator.send("POST", "/v2/agents", body, accepted)).status, 201);
});

test("the header of a token can neither supply the key for its verification nor select one", async () => {
  const [, payload = ""] = organization.administrator.token.split(".");
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const signed = (head: object, body: object, key: Uint8Array = service.keys.signing) => {
    const text = `${part(head)}.${part(body)}`;
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  };
  const head = { alg: "HS256", typ: "at+jwt" };
  const own = Buffer.from("key of the attacker");
  const jwk = { kty: "oct", k: own.toString("base64url"), alg: "HS256" };
  const url = "http://127.0.0.1:1/keys.json";
  const empty = new Uint8Array();
  const forged = {
    jwk: signed({ ...head, jwk }, claims, own),
    jku: signed({ ...head, jku: url }, claims, own),
    x5u: signed({ ...head, x5u: url }, claims, own),
    x5c: signed({ ...head, x5c: [own.toString("base64")] }, claims, own),
    "kid of a file": signed({ ...head, kid: "../../../../dev/null" }, claims, empty),
    "kid of SQL": signed({ ...head, kid: "x' union select 'key" }, claims, Buffer.from("key")),
    crit: signed({ ...head, crit: ["exp"], exp: 1 }, claims),
    "unencoded payload": signed({ ...head, b64: false, crit: ["b64"] }, claims),
    "other letters of none": `${part({ ...head, alg: "nOnE" })}.${payload}.`,
    "no algorithm at all": signed({ typ: "at+jwt" }, claims),
    "a list of audiences without ours": signed(head, { ...claims, aud: ["web", "other"] }),
    "an expiry that is not a number": signed(head, { ...claims, exp: "9999999999" }),
    "twice the same": `${organization.administrator.token},${organization.administrator.token}`,
    "a fourth part": `${organization.administrator.token}.x`,
    "20 kB": signed(head, { ...claims, more: "A".repeat(15_000) }),
  };
  for (const [name, token] of Object.entries(forged)) {
    const { status, body } = await service.client(token).send("GET", "/v2/agents");
    assert.deepEqual([status, body.code], [401, "unauthorized"], name);
  }
});

test("members of a body that the API does not document are not stored in any row", async () => {
  const house = await service.organization("Plain House");
  const other = await service.organization("Other House");
  const { administrator } = house;
  const more = {
    id: other.id,
    slug: "x",
    created_at: "2001-01-01T00:00:00.000Z",
    plan_id: "x",
    organization_id: other.id,
    __proto__: {},
  };
  const rows = async () => ({
    organizations: await service.db.selectFrom("organizations").selectAll().execute(),
    members: await service.db.selectFrom("members").selectAll().execute(),
  });
  const earlier = await rows();
  const changed = await administrator.send("PATCH", "/v2/organization", { ...more, name: "Plain House" });
  assert.equal(changed.status, 200);
  const member = `/v2/organization/members/${administrator.memberId}`;
  await administrator.send("PATCH", member, { ...more, user_id: other.administrator.userId });
  const agent = { name: "A", type: "EXTRACTOR", ...more, visibility: "public", organizationId: other.id };
  const made = (await administrator.send("POST", "/v2/agents", agent)).body.data;
  assert.notEqual(made.created_at, more.created_at);
  const row = await service.db
    .selectFrom("agents")
    .selectAll()
    .where("id", "=", made.reference)
    .executeTakeFirstOrThrow();
  assert.deepEqual([row.organization_id, row.visibility], [house.id, "organization"]);
  const later = await rows();
  const untimed = (all: object[]) => all.map((each) => ({ ...each, updated_at: undefined }));
  assert.deepEqual(untimed(later.organizations), untimed(earlier.organizations));
  assert.deepEqual(untimed(later.members), untimed(earlier.members));
});

test("extra members beside a file or a question are neither stored nor returned", async () => {
  const house = await service.organization("Filing House");
  const other = await service.organization("Foreign House");
  const corpus = corpusOf(service, house);
  const params = [{ name: "number", format: "text", description: "Number of the invoice", items: [] }];
  const [agent, extractor] = [await corpus.makeAgent(), await corpus.makeAgent("EXTRACTOR", { params })];
  const theirs = await corpusOf(service, other).makeAgent();
  const [mark, number] = ["smuggled", 77_777_777];
  const more = {
    id: newId(),
    reference: newId(),
    document_reference: newId(),
    status: mark,
    mime: mark,
    size: number,
    pages: number,
    channel: "app",
    visibility: "public",
    organization_id: other.id,
    agent_id: theirs,
    user_id: other.administrator.userId,
    created_at: "2001-01-01T00:00:00.000Z",
    tokens: number,
    more: { [mark]: mark },
  };
  const file = { filename: "a.pdf", file: sampleBase64 };
  const requests: [string, object][] = [
    [`/v2/agents/${agent}/documents`, file],
    ["/v2/extractor", { ...file, params }],
    [`/v2/extractor/${extractor}`, file],
    ["/v2/extractor/async", { ...file, params, callback: "https://callback.invalid/" }],
    ["/v2/classification/async", file],
    [`/v2/knowledge/${agent}`, { query: "What is the number?" }],
    [`/v2/documentalist/${agent}`, { query: "What is the number?" }],
  ];
  const sent = [more.id, more.reference, more.document_reference, theirs, other.id, more.user_id, more.created_at];
  const foreign = [...sent, mark, String(number)];
  const before = await everyRow(service.db);
  for (const [path, body] of requests) {
    const answer = await house.administrator.send("POST", path, { ...body, ...more });
    assert.ok([200, 202].includes(answer.status), `${path}: ${JSON.stringify(answer.body)}`);
    for (const text of foreign) assert.ok(!JSON.stringify(answer.body).includes(text), path);
  }
  await corpus.settled(agent);
  const started = () => service.db.selectFrom("operations").select("id").where("status", "=", "started").execute();
  while ((await started()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const after = await everyRow(service.db);
  for (const [table, rows] of Object.entries(after))
    for (const row of rows.filter((each) => !before[table]?.includes(each))) {
      for (const text of foreign) assert.ok(!row.includes(text), `${table}: ${row}`);
      const { channel = "api", organization_id = house.id } = JSON.parse(row);
      assert.deepEqual([channel, organization_id], ["api", house.id], table);
    }
});
