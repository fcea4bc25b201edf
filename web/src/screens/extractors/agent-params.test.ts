import assert from "node:assert/strict";
import { test } from "node:test";
import { agentParamsOf } from "./agent-params.ts";

test("fields of an API request become fields of an agent, at every level", () => {
  const date = { name: "day", format: "date", description: "Day" } as const;
  const total = { name: "total", format: "number", description: "Total" } as const;
  const text = { name: "day", format: "text", description: "Day", items: [] };
  assert.deepEqual(agentParamsOf([total, date, { ...total, name: "lines", format: "list", items: [date] }]), [
    { ...total, items: [] },
    text,
    { ...total, name: "lines", format: "list", items: [text] },
  ]);
});
