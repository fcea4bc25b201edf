import assert from "node:assert/strict";
import test from "node:test";
import { EngineFailure } from "../engine.ts";
import { documentOf } from "../testing/document-builder.ts";
import { openBuiltinEngine } from "./threaded-engine.ts";

const params = [{ name: "invoice_number", format: "text" as const, description: "Invoice number" }];
const invoice = documentOf([
  ["Invoice No:", "4711-A"],
  ["Total:", "12.00"],
]);

test("a thread returns the same extraction as the plain function", async () => {
  const engine = openBuiltinEngine({ threads: 1 });
  try {
    const results = await Promise.all(
      [1, 2, 3].map(() => engine.extract({ document: invoice, params }, new AbortController().signal)),
    );
    for (const result of results) assert.equal(result.data.invoice_number, "4711-A");
  } finally {
    await engine.close();
  }
});

test("an abort rejects with its reason, and the engine continues with a new thread", async () => {
  const engine = openBuiltinEngine({ threads: 1 });
  try {
    const control = new AbortController();
    const running = engine.extract({ document: invoice, params }, control.signal);
    const waitingControl = new AbortController();
    const waiting = engine.extract({ document: invoice, params }, waitingControl.signal);
    setImmediate(() => {
      control.abort(new Error("enough"));
      waitingControl.abort(new Error("never mind"));
    });
    await Promise.all([assert.rejects(running, /enough/), assert.rejects(waiting, /never mind/)]);
    const after = await engine.extract({ document: invoice, params }, new AbortController().signal);
    assert.equal(after.data.invoice_number, "4711-A");
  } finally {
    await engine.close();
  }
});

test("an extraction beyond its deadline is an EngineFailure", async () => {
  const engine = openBuiltinEngine({ threads: 1, deadlineMs: 1 });
  try {
    await assert.rejects(engine.extract({ document: invoice, params }, new AbortController().signal), EngineFailure);
  } finally {
    await engine.close();
  }
});

test("a closed engine refuses work", async () => {
  const engine = openBuiltinEngine({ threads: 1 });
  await engine.close();
  await assert.rejects(engine.extract({ document: invoice, params }, new AbortController().signal), EngineFailure);
});
