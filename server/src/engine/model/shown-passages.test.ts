import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { EngineName } from "@sheaf/contract/agents.ts";
import { builtinAnswerer } from "../builtin/answer/answer.ts";
import type { PassageText } from "../engine.ts";
import { openModelAnswerer } from "./answer.ts";
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
/** Twenty passages; the answer stands in the fourth, between two sentences of its own. */
const passages = Array.from({ length: 20 }, (_, at) =>
  asPassage(
    at === 3
      ? `${filler("door", 12)} It stood still for years. ${answer} She had learnt it from her aunt. ${filler("roof", 12)}`
      : filler(`gate ${at}`, 24),
    20 - at,
  ),
);

async function asking(t: TestContext, engine: EngineName, quote: string) {
  const said = { sentences: [{ text: answer, quotes: [{ passage: 4, quote }] }] };
  const { model, client, meter } = await openScripted(t, { rule: () => said }, { maxInputTokens: 30_000 });
  const request = { query: "Who built the wheel of the mill?", instructions: [], consignes: [], historic: [] };
  const question = builtinAnswerer.understand(request);
  const given = await openModelAnswerer(client, "auto").answer({ request, question, passages, engine, meter }, never);
  const [received] = model.received;
  const { messages } = (received?.body ?? {}) as { messages?: { content: string }[] };
  return { ...given, prompt: messages?.[1]?.content ?? "" };
}

test(
  "auto shows the sentences that may answer, with those beside them; the model alone is shown it all",
  options,
  async (t) => {
    const [auto, alone] = [await asking(t, "auto", answer), await asking(t, "model", answer)];
    for (const { prompt, found, parts } of [auto, alone]) {
      assert.match(prompt, /^\[passage 4\] mill\.pdf › The mill › History$/mu);
      assert.ok(prompt.includes(`It stood still for years. ${answer} She had learnt it from her aunt.`), prompt);
      assert.deepEqual([found, parts[0]?.text, parts[0]?.sources[0]?.passage], [true, answer, 3]);
    }
    for (const { text } of passages) assert.ok(alone.prompt.includes(text));
    assert.ok(auto.prompt.length < 0.4 * alone.prompt.length, `${auto.prompt.length} of ${alone.prompt.length}`);
  },
);

test("a place is that of the whole passage, and a quote over a gap is two places", options, async (t) => {
  const text = passages[3]?.text ?? "";
  const { parts } = await asking(
    t,
    "auto",
    `${answer} … The roof of part 11 was made in a small workshop by the river.`,
  );
  const spans = (parts[0]?.sources ?? []).map((source) =>
    "start" in source ? text.slice(source.start, source.end) : "",
  );
  assert.deepEqual(
    spans.map((span) => span.replace(/\.$/u, "")),
    [answer, "The roof of part 11 was made in a small workshop by the river."].map((span) => span.replace(/\.$/u, "")),
  );
});
