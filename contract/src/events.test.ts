import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryRules, type EventJson, eventNames, eventSchema, events, signatureHeader } from "./events.ts";
import { compile } from "./validate.ts";

test("a delivery has the envelope of the contract", () => {
  const delivery: EventJson<"document.ingestion_completed"> = {
    id: "01JPA7Z3X5R9M2K8Q4T6V1W0YB",
    event: "document.ingestion_completed",
    timestamp: "2026-03-14T09:26:53.589Z",
    data: {
      agent_reference: "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77",
      document_reference: "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a78",
      status: "ready",
      name: "a.pdf",
      path: "",
    },
  };
  const check = compile(eventSchema("document.ingestion_completed"));
  assert.deepEqual(check(delivery), []);
  assert.equal(check({ ...delivery, timestamp: "2026-03-14T09:26:53Z" }).length, 1);
  assert.equal(check({ ...delivery, id: "01JPA7Z3X5R9M2K8Q4T6V1W0Y" }).length, 1);
  assert.equal(check({ ...delivery, event: "extraction.completed" }).length, 1);
});

test("the event of a failed extraction has the code and status of the error", () => {
  const check = compile(eventSchema("extraction.completed"));
  const failure = {
    status: "error",
    extract_id: "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77",
    code: "extraction_failed",
    error: "The document could not be processed.",
    detail: { http_status: 502 },
  };
  const delivery = (data: object) => ({
    id: "01JPA7Z3X5R9M2K8Q4T6V1W0YB",
    event: "extraction.completed",
    timestamp: "2026-03-14T09:26:53.589Z",
    data,
  });
  assert.deepEqual(check(delivery(failure)), []);
  assert.notDeepEqual(check(delivery({ ...failure, detail: { http_status: "502" } })), []);
});

test("events, header and delays match the contract", () => {
  assert.deepEqual(eventNames, ["document.ingestion_completed", "extraction.completed", "classification.completed"]);
  assert.deepEqual(Object.keys(events), eventNames);
  assert.equal(signatureHeader, "x-service-signature");
  assert.deepEqual(deliveryRules.delaysSeconds, [0, 1, 10, 60]);
});
