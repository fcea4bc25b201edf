/**
 * Runs a whole service with maximum logging while all kinds of requests are sent, many of which
 * fail. Log, metrics and traces must record what was done for each request or job, but no contents
 * of documents or questions. The database must not contain any secret in plain text.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { openCollector } from "./helpers/collector.ts";
import { samplePath } from "./helpers/corpus.ts";
import { type Dialect, describeOverDatabases } from "./helpers/databases.ts";
import { placeOver, urlOf } from "./helpers/killed-service.ts";
import { operations } from "./helpers/operations.ts";
import { firstCredentialOf, start } from "./helpers/process.ts";
import { textOf } from "./helpers/service.ts";

const canary = (of: string): string => `canary-${of}-${randomBytes(6).toString("hex")}`;

/**
 * Secrets that must not appear anywhere. Some are invented here; the others are returned by the
 * service.
 */
const newSecrets = () => ({
  query: canary("query-secret"),
  form: canary("form-secret"),
  basic: canary("basic-secret"),
  token: canary("api-token"),
  cookie: canary("cookie"),
  bearer: canary("bearer"),
  metrics: canary("metrics-token"),
  collector: canary("collector-token"),
  password: canary("password"),
  hook: canary("hook-query"),
});

/**
 * Contents of documents and questions, which must not be logged. The last two occur in the sample
 * PDF.
 */
const newContents = () => ({
  filename: canary("file-name"),
  question: canary("question"),
  instruction: canary("instruction"),
  param: canary("param"),
  agent: canary("agent-name"),
  text: "Northlight",
  value: "NL-2026-0417",
});

/** Opens a receiver that refuses every request. */
async function openReceiver(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(500).end("no"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member of a response
  body: any;
}

const sender =
  (url: string) =>
  async (
    method: string,
    path: string,
    body?: string | object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const type = body === undefined || "content-type" in headers ? {} : { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const answer = await fetch(url + path, { method, headers: { ...type, ...headers }, ...sent });
    const text = await textOf(answer);
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };

/**
 * Runs `work` while the database is broken: the SQL statement `breaking` damages it beforehand, and
 * `mending` repairs it afterwards.
 */
async function whileBroken(
  dialect: Dialect,
  place: string,
  breaking: string,
  mending: string,
  work: () => Promise<void>,
) {
  const execute = async (statement: string): Promise<void> => {
    if (dialect === "sqlite") {
      using database = new DatabaseSync(place, { timeout: 5_000 });
      database.exec(statement);
      return;
    }
    const client = new Client({ connectionString: place });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await execute(breaking);
  await work();
  await execute(mending);
}

/** Returns every byte of the data folder, or every row of the database, as text. */
async function stored(dialect: Dialect, data: string, url: string | undefined): Promise<string> {
  const names = (await readdir(data, { withFileTypes: true })).filter((entry) => entry.name.startsWith("sheaf.db"));
  const files = await Promise.all(names.map(({ name }) => readFile(join(data, name), "latin1")));
  if (dialect === "sqlite") return files.join("");
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
    const rows: string[] = [];
    for (const { tablename } of tables.rows)
      for (const { row } of (await client.query(`select t::text as row from "${tablename}" t`)).rows) rows.push(row);
    return rows.join("\n");
  } finally {
    await client.end();
  }
}

function assertNone(text: string, where: string, words: Record<string, string>): void {
  for (const [name, word] of Object.entries(words)) {
    const at = text.indexOf(word);
    assert.ok(at < 0, `${name} is in ${where}: ${text.slice(Math.max(0, at - 300), at + 100)}`);
  }
}

describeOverDatabases("output of a service", (dialect) => {
  test("log, metrics and traces contain no secrets or contents, the database no secrets, and error responses no internals", async () => {
    await using collector = await openCollector();
    await using receiver = await openReceiver();
    const made = newSecrets();
    const contents = newContents();
    await using place = await placeOver(dialect, {
      SHEAF_LOG_LEVEL: "debug",
      SHEAF_METRICS_TOKEN: made.metrics,
      SHEAF_OUTBOUND_HTTP: "on",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
      SHEAF_READING_PROCESSES: "1",
      // No limit, because the test sends more refused tokens within a second than the default
      // allows.
      SHEAF_ADDRESS_RATE_LIMIT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${made.collector}`,
    });
    await using running = start(["serve"], place.settings);
    const send = sender(await urlOf(running));
    const { id: firstId, secret: firstSecret } = await firstCredentialOf(running);
    const sent: Answer[] = [];
    const heard = async (answer: Promise<Answer>): Promise<Answer> => {
      sent.push(await answer);
      return answer;
    };
    const tokenOf = async (id: string, secret: string): Promise<string> =>
      (await heard(send("GET", `/v2/token?client_id=${id}&client_secret=${secret}`))).body.access_token;

    // Creates a credential over HTTP, and sends its secret in every way that the API accepts.
    const firstToken = await tokenOf(firstId, firstSecret);
    const created = await heard(
      send(
        "POST",
        "/v2/organization/credentials",
        { name: "canary" },
        { "x-api-key": firstToken, "idempotency-key": "1" },
      ),
    );
    const { client_id: id, client_secret: secret } = created.body.data;
    const token = await tokenOf(id, secret);
    const as = { "x-api-key": token };
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const grant = "grant_type=client_credentials";
    const basic = (text: string) => `Basic ${Buffer.from(`${id}:${text}`).toString("base64")}`;
    await heard(send("POST", "/v2/token", `${grant}&client_id=${id}&client_secret=${secret}`, form));
    await heard(send("POST", "/v2/token", grant, { ...form, authorization: basic(secret) }));
    for (const answer of [
      send("GET", `/v2/token?client_id=${id}&client_secret=${made.query}`),
      send("GET", `/v2/tokens?client_secret=${made.query}`),
      send("GET", `/v2/token/%zz?client_secret=${made.query}`),
      send("GET", `/v2/token%3Fclient_secret=${made.query}`),
      send("PUT", `/v2/token?client_secret=${made.query}`),
      send("POST", "/v2/token", `${grant}&client_id=${id}&client_secret=${made.form}`, form),
      send("POST", "/v2/token", `{"client_secret":"${made.form}"`, { "content-type": "application/json" }),
      send("POST", "/v2/token", grant, { ...form, authorization: basic(made.basic) }),
      send("GET", "/v2/agents", undefined, { "x-api-key": made.token }),
      send("GET", "/v2/agents", undefined, { cookie: `session=${made.cookie}` }),
      send("GET", "/metrics", undefined, { authorization: `Bearer ${made.bearer}` }),
      send("POST", "/v2/session", { email: "canary@example.com", password: made.password }),
    ])
      assert.ok((await heard(answer)).status >= 400);

    // Creates a failing webhook, sends a readable and an unreadable document, and asks a question.
    const hook = `${receiver.url}?key=${made.hook}`;
    const put = await heard(send("PUT", "/v2/organization/webhooks/document.ingestion_completed", { url: hook }, as));
    const hookSecret: string = put.body.data.secret;
    const sample = (await readFile(samplePath)).toString("base64");
    const broken = Buffer.from(`%PDF-1.7\n${contents.param}`).toString("base64");
    const params = [{ name: "number", format: "text", description: `Invoice number ${contents.param}`, items: [] }];
    const agents = await Promise.all(
      ["DOCUMENTALIST", "EXTRACTOR"].map((type) =>
        heard(
          send(
            "POST",
            "/v2/agents",
            { name: contents.agent, type, ...(type === "EXTRACTOR" && { configuration: { params } }) },
            as,
          ),
        ),
      ),
    );
    for (const { status, text } of agents) assert.equal(status, 201, text);
    const [corpus = "", extractor = ""] = agents.map(({ body }) => body.data?.reference);
    const filename = `${contents.filename}.pdf`;
    for (const [where, file] of [
      [{}, sample],
      [{ path: "broken" }, broken],
    ] as const) {
      const upload = { filename, file, ...where };
      const taken = await heard(send("POST", `/v2/agents/${corpus}/documents`, upload, as));
      assert.equal(taken.status, 202, taken.text);
    }
    const callback = `http://127.0.0.1:9/${made.hook}`;
    const started: string[] = [];
    for (const file of [sample, broken]) {
      await heard(send("POST", "/v2/extractor", { filename, file, params }, as));
      const extraction = await heard(send("POST", "/v2/extractor/async", { filename, file, params, callback }, as));
      const classification = await heard(send("POST", "/v2/classification/async", { filename, file, callback }, as));
      started.push(`extractor/async/${extraction.body.extract_id}`);
      started.push(`classification/async/${classification.body.classification_id}`);
    }
    // Waits for these jobs, because otherwise they would be retried while tables are missing in a
    // later step.
    for (const operation of started)
      while ((await send("GET", `/v2/${operation}`, undefined, as)).body.status === "started") await sleep(50);
    for (;;) {
      const { body } = await send("GET", `/v2/agents/${corpus}/documents`, undefined, as);
      if (body.data.every(({ status }: { status: string }) => status !== "pending")) break;
      await sleep(50);
    }
    const asked = { query: `What is the invoice number? ${contents.question}`, instructions: [contents.instruction] };
    const answered = await heard(send("POST", `/v2/knowledge/${corpus}`, { ...asked, include: ["citations"] }, as));
    assert.equal(answered.status, 200, answered.text);

    // Calls every operation once, with a secret or content in every part of the request.
    for (const { method, path, requestBody } of operations) {
      const target = `${path.replace(/\{\w+\}/g, "some-reference")}?secret=${made.query}&limit=${contents.param}`;
      const body = requestBody && {
        filename,
        file: "!",
        name: contents.agent,
        query: contents.question,
        secret: made.form,
      };
      const stranger = {
        "x-api-key": made.token,
        cookie: `session=${made.cookie}`,
        authorization: `Bearer ${made.bearer}`,
      };
      const { authorization } = stranger;
      for (const headers of [as, stranger, { authorization }])
        await heard(send(method, target, body, { ...headers, traceparent: made.token }));
    }

    // Causes internal errors.
    const database = place.settings.DATABASE_URL ?? join(place.data, "sheaf.db");
    const failures: Answer[] = [];
    const fails = async (...answers: Promise<Answer>[]): Promise<void> => {
      for (const answer of await Promise.all(answers)) failures.push(await heard(Promise.resolve(answer)));
    };
    const away = (table: string): [string, string] => [
      `alter table ${table} rename to ${table}_gone`,
      `alter table ${table}_gone rename to ${table}`,
    ];
    await whileBroken(dialect, database, ...away("agents"), () =>
      fails(
        send("GET", "/v2/agents", undefined, as),
        send("POST", "/v2/agents", { name: contents.agent, type: "EXTRACTOR" }, as),
        send("GET", `/v2/agents/${corpus}/documents`, undefined, as),
        send("POST", `/v2/knowledge/${corpus}`, asked, as),
        send("POST", `/v2/extractor/${extractor}`, { filename, file: sample }, as),
      ),
    );
    await whileBroken(dialect, database, ...away("threads"), () =>
      fails(
        send("POST", "/v2/extractor", { filename, file: sample, params }, as),
        send("POST", `/v2/knowledge/${corpus}`, asked, as),
      ),
    );
    // The error message of PostgreSQL contains the row that violated a constraint.
    const rule: [string, string] =
      dialect === "sqlite"
        ? ["create trigger rule before insert on agents begin select raise(abort, 'a rule'); end", "drop trigger rule"]
        : [
            "alter table agents add constraint rule check (name = 'x') not valid",
            "alter table agents drop constraint rule",
          ];
    await whileBroken(dialect, database, ...rule, () =>
      fails(send("POST", "/v2/agents", { name: contents.agent, type: "EXTRACTOR" }, as)),
    );
    await whileBroken(dialect, database, ...away("credentials"), () =>
      fails(
        send("GET", `/v2/token?client_id=${id}&client_secret=${made.query}`),
        send("GET", "/v2/agents", undefined, as),
      ),
    );
    for (const { status, text, body, headers } of failures) {
      assert.equal(status, 500, text);
      const error = "An unexpected error occurred; the operator can find it by the request id.";
      assert.deepEqual(body, { status: "error", code: "internal_error", error });
      assert.equal(headers.get("server") ?? headers.get("x-powered-by"), null);
    }

    const metrics = (await send("GET", "/metrics", undefined, { authorization: `Bearer ${made.metrics}` })).text;
    assert.match(metrics, /sheaf_http_errors_total\{code="internal_error"\} 10/);
    running.child.kill("SIGTERM");
    const { stdout, stderr } = await running.finished;

    const secrets = {
      ...made,
      secret,
      token,
      firstToken,
      hookSecret,
      bareHookSecret: hookSecret.replace("whsec_", ""),
    };
    // Does not search for `firstSecret`, which the service may print here once.
    assertNone(stdout, "the standard output", { ...secrets, ...contents });
    for (const [text, where] of [
      [stderr, "the log"],
      [metrics, "the metrics"],
      [collector.bodies.join("\n"), "the traces"],
    ] as const)
      assertNone(text, where, { ...secrets, firstSecret, ...contents });
    // The hook secret is part of the delivery URLs, which the organization may see.
    const { hook: _, ...hidden } = secrets;
    assertNone(await stored(dialect, place.data, place.settings.DATABASE_URL), "the database", {
      ...hidden,
      firstSecret,
    });

    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const byRequest = Map.groupBy(lines, ({ request }) => request);
    for (const { headers, status, text } of sent) {
      const ofRequest = byRequest.get(headers.get("x-request-id") ?? "") ?? [];
      const [told] = ofRequest.filter(({ msg }) => msg === "request");
      assert.equal(told?.status, status, `${text} ${JSON.stringify(ofRequest)}`);
      if (status === 500) assert.ok(ofRequest.some((line) => line.msg === "unexpected error" && line.err));
    }
    const retried = lines.filter(({ msg }) => msg === "a job failed and will be retried");
    assert.ok(retried.length > 0);
    for (const line of retried) assert.ok(line.job && line.name === "delivery.send" && line.attempt);
    for (const line of lines) {
      assert.ok(line.time && line.level && line.msg, JSON.stringify(line));
      assert.deepEqual([line.pid, line.hostname], [running.child.pid, hostname()]);
    }
  });
});
