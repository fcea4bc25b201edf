/**
 * With an embedding model over HTTP, a question finds passages that share no word with it.
 * Ingestion does not wait for the model.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startScriptedModel } from "../../bench/scripted-model/server.ts";
import { makePdf } from "../src/reading/testing/make-pdf.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { openTestService } from "./helpers/service.ts";

const file = Buffer.from(
  makePdf({ pages: [{ marks: [{ text: "The price of the car is 9,000 crowns.", x: 72, y: 700 }] }] }),
).toString("base64");
const query = "How expensive might such automobile become?";

test("a question is answered from a passage that shares no word with it, and the tokens of the embedding calls are recorded", async () => {
  await using stack = new AsyncDisposableStack();
  const meanings = { automobile: "car", expensive: "price" };
  const rule = () => ({ sentences: [{ text: "9,000 crowns.", quotes: [{ passage: 1, quote: "9,000 crowns" }] }] });
  const model = await startScriptedModel({ dimensions: 64, meanings, rule, apiKey: "key" });
  stack.defer(() => model.close());
  model.always = { kind: "status", status: 500 };
  const service = stack.use(
    await openTestService("sqlite", {
      ENGINE: "model",
      MODEL_URL: model.url,
      MODEL_NAME: "scripted",
      MODEL_API_KEY: "key",
      EMBEDDING_MODEL: "vectors",
    }),
  );
  const organization = await service.organization("Garage");
  const corpus = corpusOf(service, organization);
  const agent = await corpus.makeAgent();
  await corpus.accepted(agent, { filename: "car.pdf", file });
  // The document becomes ready even though the endpoint is down.
  assert.deepEqual(
    (await corpus.settled(agent)).map(({ status }) => status),
    ["ready"],
  );
  model.always = { kind: "none" };
  const ask = async () =>
    (await corpus.send("POST", `/v2/knowledge/${agent}`, { query, include: ["citations"] })).body.data;
  let answer = await ask();
  for (const until = Date.now() + 60_000; !/9,000/.test(answer.answer) && Date.now() < until; await sleep(500))
    answer = await ask();
  assert.match(answer.answer, /9,000 crowns/);
  assert.match(answer.citations[0].quote, /9,000 crowns/);
  const calls = await service.db.selectFrom("model_calls").select(["purpose", "model"]).execute();
  assert.ok(calls.some(({ purpose, model: name }) => purpose === "embed" && name === "vectors"));
});
