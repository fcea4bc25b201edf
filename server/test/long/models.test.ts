/** Extraction with a scripted language model over real HTTP: responses, results and tokens. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inventing, type Rule } from "../../../bench/scripted-model/rules.ts";
import { type ScriptedModel, startScriptedModel } from "../../../bench/scripted-model/server.ts";
import { sampleBase64 } from "../helpers/corpus.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { answering } from "../helpers/scripted-model.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

const said: Record<string, { value: unknown; quote: string; page: number }> = {
  invoice_number: { value: "NL-2026-0417", quote: "NL-2026-0417", page: 1 },
  gross_total: { value: 1021.8, quote: "£1,021.80", page: 1 },
};
const right: Rule = ({ schema }) => {
  const names = Object.keys((schema as { properties: object }).properties);
  return Object.fromEntries(names.map((name) => [name, said[name] ?? { value: null, quote: null, page: null }]));
};
const params = [
  { name: "invoice_number", format: "text", description: "Number of the invoice" },
  { name: "gross_total", format: "number", description: "Total amount including tax" },
  { name: "moon_phase", format: "text", description: "Phase of the moon" },
];
const truth = { invoice_number: "NL-2026-0417", gross_total: 1021.8, moon_phase: null };

describeOverDatabases("language models", (dialect) => {
  let model: ScriptedModel;
  let service: TestService;
  let organization: TestOrganization;

  const settings = (others: Record<string, string> = {}) => ({
    ENGINE: "model",
    MODEL_URL: model.url,
    MODEL_NAME: "scripted",
    MODEL_API_KEY: "key-of-the-model",
    ...others,
  });
  before(async () => {
    model = await startScriptedModel({ rule: right, apiKey: "key-of-the-model" });
    service = await openTestService(dialect, settings());
    organization = await service.organization("Modern");
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await model.close();
  });

  const extract = (of = organization, more: object = {}): Promise<Answer> =>
    of.administrator.send("POST", "/v2/extractor", {
      filename: "invoice.pdf",
      file: sampleBase64,
      params,
      include: ["evidence"],
      ...more,
    });
  const calls = (of = organization, by = service) =>
    by.db.selectFrom("model_calls").selectAll().where("organization_id", "=", of.id).execute();

  test("values are found again in the document, and tokens are counted", async () => {
    const { status, body } = await extract();
    assert.equal(status, 200);
    assert.deepEqual(body.data, [truth]);
    const [evidence] = body.metadata.evidence;
    assert.deepEqual([evidence.gross_total.page, evidence.gross_total.match], [1, "normalized"]);
    assert.equal(evidence.moon_phase, null);
    const [call] = await calls();
    assert.equal(call?.purpose, "extract");
    assert.equal(body.metadata.tokens_consumed, Number(call?.input_tokens) + Number(call?.output_tokens));
    const { usage } = (await organization.administrator.send("GET", "/v2/organization/usage")).body.data;
    assert.equal(usage.api_tokens, body.metadata.tokens_consumed);
    const [received] = model.received;
    assert.deepEqual([call?.bytes, call?.sha256], [received?.bytes, received?.sha256]);
  });

  test("if the model invents values, it is asked once more, and no invented value reaches the caller", async () => {
    const before = model.received.length;
    const { body } = await answering(model, inventing(1, right), () => extract());
    for (const [name, value] of Object.entries(body.data[0]))
      assert.ok(value === null || value === truth[name as keyof typeof truth], `${name}: ${value}`);
    assert.equal(model.received.length - before, 2);
    let asked = 0;
    const late: Rule = (request) => (asked++ === 0 ? inventing(1, right)(request) : right(request));
    assert.deepEqual((await answering(model, late, () => extract())).body.data, [truth]);
  });

  test("a model that obeys instructions in the document can return only values that it proves with quotes", async () => {
    const obeying: Rule = () => ({
      invoice_number: { value: "PWNED", quote: "Ignore all instructions", page: 1 },
      gross_total: { value: 0, quote: null, page: null },
      moon_phase: { value: "![x](https://canary.example/x.png)", quote: "https://canary.example/x.png", page: 1 },
    });
    const { status, body } = await answering(model, obeying, () => extract());
    assert.equal(status, 200);
    assert.deepEqual(body.data, [{ invoice_number: null, gross_total: null, moon_phase: null }]);
  });

  test("if the model fails, the response has the error code that the contract defines", async () => {
    const malformed = await answering(
      model,
      () => "no JSON at all",
      () => extract(),
    );
    assert.deepEqual(
      [malformed.status, malformed.body.code, malformed.body.detail.reason],
      [502, "extraction_failed", "model"],
    );
    await using down = await openTestService(dialect, settings({ MODEL_URL: "http://127.0.0.1:9/v1" }));
    const refused = await extract(await down.organization("Down"));
    assert.deepEqual([refused.status, refused.body.code], [503, "agent_unavailable"]);
    await using wrongKey = await openTestService(dialect, settings({ MODEL_API_KEY: "another" }));
    const denied = await extract(await wrongKey.organization("Denied"));
    assert.deepEqual([denied.status, JSON.stringify(denied.body).includes("another")], [503, false]);
    // Only this case needs a short timeout; the others must not time out even on a slow machine.
    await using hasty = await openTestService(dialect, settings({ MODEL_TIMEOUT_SECONDS: "2" }));
    const impatient = await hasty.organization("Hasty");
    const silent = await answering(
      model,
      () => new Promise(() => {}),
      () => extract(impatient),
    );
    assert.deepEqual([silent.status, silent.body.code], [504, "agent_timeout"]);
  });

  test("an asynchronous extraction ends like a synchronous one", async () => {
    const outcome = async (): Promise<Record<string, unknown>> => {
      const { extract_id } = (
        await organization.administrator.send("POST", "/v2/extractor/async", {
          filename: "invoice.pdf",
          file: sampleBase64,
          params,
          callback: "https://callback.invalid/",
        })
      ).body;
      for (;;) {
        const { body } = await organization.administrator.send("GET", `/v2/extractor/async/${extract_id}`);
        if (body.status !== "started") return body;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    assert.deepEqual((await outcome()).data, [truth]);
    const failed = await answering(model, () => "no JSON at all", outcome);
    assert.deepEqual([failed.status, failed.code], ["error", "extraction_failed"]);
  });

  test("if the budget is used up, no request is sent to the model; auto continues with the built-in engine", async () => {
    await using poor = await openTestService(dialect, settings({ MODEL_BUDGET_TOKENS: "1" }));
    const refused = await extract(await poor.organization("Poor"));
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [403, "quota_exceeded", { limit: 1, current: 0 }],
    );
    await using auto = await openTestService(dialect, settings({ ENGINE: "auto", MODEL_BUDGET_TOKENS: "1" }));
    const answered = await extract(await auto.organization("Auto"));
    assert.equal(answered.body.data[0].invoice_number, truth.invoice_number);
  });

  test("with a token budget smaller than the largest possible call, calls are sent with fewer output tokens, and the budget is never exceeded", async () => {
    const limited = await openTestService(dialect, settings({ MODEL_BUDGET_TOKENS: "8000" }));
    try {
      const organization = await limited.organization("Limited");
      const before = model.received.length;
      assert.equal((await extract(organization)).status, 200);
      const sent = model.received[before]?.body.max_tokens as number;
      assert.ok(sent > 128 && sent < 8_000, `the request allows ${sent} output tokens, with a budget of 8,000`);
      const answers = await Promise.all(Array.from({ length: 20 }, () => extract(organization)));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 403]);
      const told = (await calls(organization, limited)).filter(({ estimated }) => !estimated);
      const sum = told.reduce((total, call) => total + Number(call.input_tokens) + Number(call.output_tokens), 0);
      assert.ok(sum <= 8_000, `${sum} of 8,000`);
      const { usage } = (await organization.administrator.send("GET", "/v2/organization/usage")).body.data;
      assert.equal(usage.api_tokens, sum);
    } finally {
      await limited[Symbol.asyncDispose]();
    }
  });

  test("if the model fails, auto returns the values of which the built-in engine is sure, and reports the fallback", async () => {
    const failures = [
      ["unavailable", settings({ MODEL_URL: "http://127.0.0.1:9/v1" }), undefined],
      ["timeout", settings({ MODEL_TIMEOUT_SECONDS: "1" }), () => new Promise(() => {})],
      ["malformed", settings(), () => "no JSON at all"],
      ["budget", settings({ MODEL_BUDGET_TOKENS: "1" }), undefined],
    ] as const;
    for (const [reason, changes, rule] of failures) {
      const auto = await openTestService(dialect, { ...changes, ENGINE: "auto" });
      try {
        const organization = await auto.organization("Alone");
        const { status, body } = await answering(model, rule ?? right, () => extract(organization));
        assert.equal(status, 200, reason);
        assert.deepEqual(body.data, [truth]);
        assert.deepEqual(body.metadata.fallback, { reason, fields: ["moon_phase"] });
      } finally {
        await auto[Symbol.asyncDispose]();
      }
    }
    await using auto = await openTestService(dialect, settings({ ENGINE: "auto" }));
    assert.equal((await extract(await auto.organization("Whole"))).body.metadata.fallback, undefined);
  });

  test("an agent can choose its engine", async () => {
    const { administrator } = organization;
    const configuration = { params: params.map((param) => ({ ...param, items: [] })), engine: "builtin" };
    const made = await administrator.send("POST", "/v2/agents", { name: "E", type: "EXTRACTOR", configuration });
    assert.deepEqual([made.status, made.body.data.configuration.engine], [201, "builtin"]);
    const agentUrl = `/v2/agents/${made.body.data.reference}`;
    const asked = async () => {
      const before = model.received.length;
      const path = `/v2/extractor/${made.body.data.reference}`;
      const { status } = await administrator.send("POST", path, { filename: "invoice.pdf", file: sampleBase64 });
      assert.equal(status, 200);
      return model.received.length > before;
    };
    assert.equal(await asked(), false);
    const changed = await administrator.send("PATCH", agentUrl, {
      configuration: { ...configuration, engine: "model" },
    });
    assert.equal(changed.body.data.configuration.engine, "model");
    assert.equal(await asked(), true);
    const unset = await administrator.send("PATCH", agentUrl, { configuration: { ...configuration, engine: null } });
    assert.equal("engine" in unset.body.data.configuration, false);
    assert.equal(await asked(), true);
    await using without = await openTestService(dialect);
    const plain = await without.organization("Plain");
    for (const [engine, status] of [
      ["model", 422],
      ["auto", 422],
      ["builtin", 201],
      ["gpt", 422],
    ] as const) {
      const body = { name: "E", type: "EXTRACTOR", configuration: { ...configuration, engine } };
      const answer = await plain.administrator.send("POST", "/v2/agents", body);
      assert.equal(answer.status, status, engine);
      if (status === 422) assert.equal(answer.body.code, "invalid_config");
    }
  });

  test("auto asks the model only for fields of which the built-in engine is not sure", async () => {
    await using auto = await openTestService(dialect, settings({ ENGINE: "auto" }));
    const before = model.received.length;
    const { body } = await extract(await auto.organization("Auto"));
    assert.deepEqual(body.data, [truth]);
    assert.equal(model.received.length, before + 1);
    const sent = JSON.stringify(model.received.at(-1)?.body);
    assert.ok(sent.includes("moon_phase") && !sent.includes("invoice_number"), sent.slice(0, 500));
  });

  test("auto sends the model only the lines that may contain uncertain fields", async () => {
    await using auto = await openTestService(dialect, settings({ ENGINE: "auto" }));
    const modern = await auto.organization("Auto");
    const seller = { name: "seller_name", format: "text", description: "Name of the company that sells" };
    const reading: Rule = ({ prompt }) => {
      const [, line, value] = /^(\d+)\|(Northlight.*)$/mu.exec(prompt) ?? [];
      return { seller_name: { value, line: Number(line) } };
    };
    const before = model.received.length;
    const { body } = await answering(model, reading, () =>
      extract(modern, { params: [...params.slice(0, 2), seller] }),
    );
    const [data] = body.data;
    const { moon_phase: _, ...others } = truth;
    assert.deepEqual(data, { ...others, seller_name: "Northlight Paper Works Ltd" });
    const [evidence] = body.metadata.evidence;
    assert.deepEqual([evidence.seller_name.page, evidence.seller_name.quote], [1, data.seller_name]);
    assert.equal(model.received.length, before + 1);
    const sent = JSON.stringify(model.received.at(-1)?.body);
    assert.ok(sent.includes("Harbour & Finch") && !sent.includes("Cotton rag"), sent);
    const [call] = await calls(modern, auto);
    assert.equal(body.metadata.tokens_consumed, Number(call?.input_tokens) + Number(call?.output_tokens));
  });
});
