import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { Rule } from "../../../../bench/scripted-model/rules.ts";
import { keepingEnd } from "../../lib/keeping-end.ts";
import { builtinAnswerer } from "../answer/answer-question.ts";
import type { AnswerPart, PassageText } from "../answering.ts";
import { type ModelAnswer, openModelAnswerer } from "./answer-with-model.ts";
import { never, openScripted } from "./client/testing/open-scripted.ts";

const options = { timeout: 20_000 };
const filler = (topic: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `The ${topic} of part ${at} was made in a small workshop by the river.`,
  ).join(" ");
const asPassage = (text: string, score: number): PassageText => ({
  text,
  title: "The mill",
  headings: ["History"],
  name: "mill.pdf",
  path: "",
  score,
});
const answer = "The wheel of the mill was built by Ada Marlow in 1871.";
/** Twenty passages. In the fourth one, the answer is between two other sentences. */
const passages = Array.from({ length: 20 }, (_, at) =>
  asPassage(
    at === 3
      ? `${filler("door", 12)} It stood still for years. ${answer} She had learnt it from her aunt. ${filler("roof", 12)}`
      : filler(`gate ${at}`, 24),
    20 - at,
  ),
);

const said = (quote: string) => ({ sentences: [{ text: answer, quotes: [{ passage: 4, quote }] }] });
const none = (...read_whole: number[]) => ({ sentences: [], read_whole });

async function streamOf(stream: AsyncGenerator<AnswerPart, ModelAnswer>): Promise<ModelAnswer> {
  const parts: AnswerPart[] = [];
  let end: ModelAnswer | undefined;
  for await (const part of keepingEnd(stream, (answer) => {
    end = answer;
  }))
    parts.push(part);
  assert.deepEqual(end?.parts, parts);
  return end;
}

async function asking(t: TestContext, engine: EngineName, rule: Rule, streamed = false) {
  const { model, client, meter } = await openScripted(t, { rule }, { maxInputTokens: 30_000 });
  const request = { query: "Who built the wheel of the mill?", instructions: [], consignes: [], historic: [] };
  const question = builtinAnswerer.understand(request);
  const answerer = openModelAnswerer(client);
  const likely = engine === "auto" ? builtinAnswerer.likelySpans(question, passages) : undefined;
  const asked = { request, question, passages, likely, meter };
  const given = streamed ? await streamOf(answerer.stream(asked, never)) : await answerer.answer(asked, never);
  const prompts = model.received.map(({ body }) => {
    const { messages = [] } = (body ?? {}) as { messages?: { content: string }[] };
    return messages[1]?.content ?? "";
  });
  const taken = meter.calls.reduce((sum, { use }) => sum + use.inputTokens + use.outputTokens, 0);
  return { ...given, prompts, taken };
}

test(
  "`auto` sends the likely sentences with their neighbours, and `model` sends whole passages",
  options,
  async (t) => {
    const rule = () => said(answer);
    const [auto, alone] = [await asking(t, "auto", rule), await asking(t, "model", rule)];
    for (const {
      prompts: [prompt = "", ...others],
      found,
      parts,
    } of [auto, alone]) {
      assert.match(prompt, /^\[passage 4\] mill\.pdf › The mill › History$/mu);
      assert.ok(prompt.includes(`It stood still for years. ${answer} She had learnt it from her aunt.`), prompt);
      assert.deepEqual([found, parts[0]?.text, parts[0]?.sources[0]?.passage], [true, answer, 3]);
      assert.deepEqual(others, []);
    }
    const [[parts = ""], [whole = ""]] = [auto.prompts, alone.prompts];
    for (const [at, { text }] of passages.entries()) {
      assert.ok(whole.includes(text));
      assert.match(parts, new RegExp(`^\\[passage ${at + 1}\\] mill\\.pdf › The mill › History$`, "mu"));
    }
    assert.ok(parts.length < 0.4 * whole.length, `${parts.length} of ${whole.length}`);
  },
);

/**
 * The scripted model answers if it sees this sentence, which is in the middle of the fifth passage.
 * Otherwise it asks for the whole passage.
 */
const hidden = "The gate 4 of part 20 was made in a small workshop by the river.";
const reading: Rule = ({ prompt }) =>
  prompt.includes(`${hidden.slice(0, -1)}. The gate 4 of part 21`)
    ? { sentences: [{ text: hidden, quotes: [{ passage: 5, quote: hidden }] }], read_whole: [] }
    : none(5, 5, 99, 0, 7, 8, 9);

for (const streamed of [false, true])
  test(
    `up to three passages that the model requests are sent whole${streamed ? ", even in a stream" : ""}`,
    options,
    async (t) => {
      const { prompts, parts, found, tokens, taken } = await asking(t, "auto", reading, streamed);
      const [first = "", second = "", ...others] = prompts;
      assert.deepEqual(others, []);
      assert.ok(!first.includes(hidden));
      const shown = [4, 6, 7];
      for (const [at, { text }] of passages.entries()) assert.equal(second.includes(text), shown.includes(at));
      assert.deepEqual([parts.map(({ text }) => text), parts[0]?.sources[0]?.passage], [[hidden], 4]);
      assert.deepEqual([found, tokens], [true, taken]);
    },
  );

test("whole passages are sent once, and only if the model requests passages that it saw partly", options, async (t) => {
  for (const [rule, requests] of [
    [() => none(5), 2],
    [() => none(), 1],
    [() => none(0, 21), 1],
    [() => ({ sentences: [] }), 1],
  ] as const)
    for (const streamed of [false, true]) {
      const { prompts, parts } = await asking(t, "auto", rule, streamed);
      assert.deepEqual([prompts.length, parts], [requests, []]);
    }
  assert.equal((await asking(t, "model", () => none(5))).prompts.length, 1);
});

test(
  "if a sentence from partial passages has no valid quote, the requested passages are sent whole",
  options,
  async (t) => {
    const invented = { ...said("A quote that stands nowhere in the passages at all."), read_whole: [5] };
    const { prompts, parts } = await asking(t, "auto", (asked) =>
      asked.prompt.includes(passages[4]?.text ?? "") ? reading(asked) : invented,
    );
    assert.deepEqual([prompts.length, parts[0]?.text], [2, hidden]);
  },
);

test("spans refer to the whole passage, and a quote across a gap has two spans", options, async (t) => {
  const text = passages[3]?.text ?? "";
  const { parts } = await asking(t, "auto", () =>
    said(`${answer} … The roof of part 11 was made in a small workshop by the river.`),
  );
  const spans = (parts[0]?.sources ?? []).map((source) =>
    "start" in source ? text.slice(source.start, source.end) : "",
  );
  assert.deepEqual(
    spans.map((span) => span.replace(/\.$/u, "")),
    [answer, "The roof of part 11 was made in a small workshop by the river."].map((span) => span.replace(/\.$/u, "")),
  );
});
