import assert from "node:assert/strict";
import { test } from "node:test";
import { builtinAnswerer } from "../answer/answer-question.ts";
import { readFacts } from "../answer/read-facts.ts";
import type { AskRequest, PassageText } from "../answering.ts";
import { EngineFailure } from "../engine.ts";
import { documentOf } from "../testing/document-builder.ts";
import { openBuiltinAnswerer } from "./threaded-answerer.ts";

const request: AskRequest = { query: "Who built the mill?", instructions: [], consignes: [], historic: [] };
const passages: PassageText[] = [
  { text: "The mill was built by Ada Marlow.", title: "Mill", headings: [], name: "mill.pdf", path: "", score: 2 },
];
const never = new AbortController().signal;

test("a thread returns the same answer as the main thread", async () => {
  const answerer = openBuiltinAnswerer({ threads: 2 });
  try {
    const question = await answerer.understand(request, never);
    assert.deepEqual(question, builtinAnswerer.understand(request));
    assert.deepEqual(
      await answerer.answer(question, passages, [], never),
      builtinAnswerer.answer(question, passages, []),
    );
    assert.deepEqual(
      await answerer.likelySpans(question, passages, never),
      builtinAnswerer.likelySpans(question, passages),
    );
    assert.deepEqual(
      await answerer.documentsToRead(question, passages, never),
      builtinAnswerer.documentsToRead(question, passages),
    );
    const document = documentOf([
      ["Opened:", "1932"],
      ["Lanes:", "six"],
    ]);
    assert.deepEqual(await answerer.readFacts(document, question, never), readFacts(document, question));
  } finally {
    await answerer.close();
  }
});

test("a question beyond its deadline fails without blocking the event loop", async () => {
  const answerer = openBuiltinAnswerer({ threads: 1, deadlineMs: 1 });
  try {
    await assert.rejects(answerer.understand(request, never), EngineFailure);
  } finally {
    await answerer.close();
  }
});

test("an abort terminates the thread of a question, and the next question gets another one", async () => {
  const answerer = openBuiltinAnswerer({ threads: 1 });
  try {
    const control = new AbortController();
    const asked = answerer.understand(request, control.signal);
    control.abort(new Error("gone"));
    await assert.rejects(asked, /gone/);
    assert.equal((await answerer.understand(request, never)).query, request.query);
  } finally {
    await answerer.close();
  }
});
