import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { compile } from "./validate.ts";

describe("creating an agent", () => {
  const check = compile(endpoints.createAgent.body);

  test("unknown members are ignored, and the service validates type and configuration", () => {
    assert.deepEqual(check({ name: "x", type: "ANY", configuration: 7, reference: "y" }), []);
  });

  test("each missing member is a separate issue", () => {
    assert.deepEqual(check({}), [
      { path: "/name", message: "is required" },
      { path: "/type", message: "is required" },
    ]);
  });

  test("a body that is not an object is an issue", () => {
    for (const body of [null, [], "x", 1, true])
      assert.deepEqual(check(body), [{ path: "", message: "must be an object" }]);
  });

  test("nothing is coerced", () => {
    assert.deepEqual(check({ name: 7, type: true, description: 7 }), [
      { path: "/name", message: "must be a string" },
      { path: "/type", message: "must be a string" },
      { path: "/description", message: "must be a string or null" },
    ]);
  });

  test("lengths count characters, and a union has the issue of the matching branch", () => {
    assert.deepEqual(check({ name: "😀".repeat(200), type: "x", description: null }), []);
    assert.deepEqual(check({ name: "😀".repeat(201), type: "x", description: "y".repeat(2_001) }), [
      { path: "/name", message: "must have at most 200 characters" },
      { path: "/description", message: "must have at most 2000 characters" },
    ]);
  });

  test("NUL and half of a surrogate pair are refused", () => {
    const message = "must not contain NUL or half of a surrogate pair";
    assert.deepEqual(check({ name: "a\0", type: "x" }), [{ path: "/name", message }]);
    assert.deepEqual(check({ name: "\udc00", type: "x" }), [{ path: "/name", message }]);
  });
});

describe("asking a documentalist", () => {
  const check = compile(endpoints.askKnowledge.body);
  const thread_id = "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77";
  const turn = (role: string) => ({ role, content: "x" });

  test("only the question is required", () => assert.deepEqual(check({ query: "Why?" }), []));

  test("lengths have the limits of the contract", () => {
    const good = { query: "x".repeat(8_000), instructions: Array(50).fill("x".repeat(4_000)) };
    assert.deepEqual(check(good), []);
    assert.deepEqual(check({ query: "x".repeat(8_001), instructions: Array(51).fill("x") }), [
      { path: "/instructions", message: "must have at most 50 items" },
      { path: "/query", message: "must have at most 8000 characters" },
    ]);
    assert.deepEqual(check({ query: "", instructions: ["x".repeat(4_001)] }), [
      { path: "/query", message: "must not be empty" },
      { path: "/instructions/0", message: "must have at most 4000 characters" },
    ]);
  });

  test("historic alternates between user and assistant, beginning with user", () => {
    const turns = Array.from({ length: 200 }, (_, index) => turn(index % 2 === 0 ? "user" : "assistant"));
    assert.deepEqual(check({ query: "x", historic: turns }), []);
    assert.deepEqual(check({ query: "x", historic: [turn("assistant")] }), [
      { path: "/historic/0/role", message: "user and assistant must take turns, beginning with user" },
    ]);
    assert.deepEqual(check({ query: "x", historic: [...turns, turn("user")] }), [
      { path: "/historic", message: "must have at most 200 items" },
    ]);
    assert.deepEqual(check({ query: "x", historic: [turn("system")] }), [
      { path: "/historic/0/role", message: "must be one of user, assistant" },
    ]);
  });

  test("historic and thread_id cannot be combined", () => {
    assert.deepEqual(check({ query: "x", thread_id }), []);
    assert.deepEqual(check({ query: "x", thread_id, historic: [turn("user")] }), [
      { path: "/historic", message: "cannot be combined with thread_id" },
    ]);
  });

  test("thread_id is a UUID of 36 characters", () => {
    for (const bad of ["", "x".repeat(36), `{${thread_id}}`, 7])
      assert.notDeepEqual(check({ query: "x", thread_id: bad }), []);
  });

  test("include accepts only the known additions", () => {
    assert.deepEqual(check({ query: "x", include: ["citations"] }), []);
    assert.deepEqual(check({ query: "x", include: ["secrets"] }), [
      { path: "/include/0", message: "must be one of citations" },
    ]);
  });
});

describe("uploading", () => {
  const check = compile(endpoints.uploadDocument.body);

  test("any string is accepted in place of the streamed file", () => {
    assert.deepEqual(check({ filename: "a.pdf", file: "" }), []);
    assert.deepEqual(check({ filename: "a.pdf" }), [{ path: "/file", message: "is required" }]);
  });

  test("checks in code report the path of their member", () => {
    assert.deepEqual(check({ filename: "a/b", file: "", path: "/x" }), [
      { path: "/filename", message: "must not contain a slash" },
      { path: "/path", message: "must not begin or end with a slash or contain an empty segment" },
    ]);
    assert.deepEqual(check({ filename: 7, file: "", path: null }), [
      { path: "/filename", message: "must be a string" },
      { path: "/path", message: "must be a string" },
    ]);
  });
});

test("inherited properties do not count as members", () => {
  const check = compile(endpoints.extract.body);
  assert.deepEqual(
    check(JSON.parse('{"__proto__": {"filename": "a.pdf", "file": "", "params": []}}')).map(({ path }) => path),
    ["/filename", "/file", "/params"],
  );
});

test("a long list of invalid entries has 20 issues", () => {
  const check = compile(endpoints.startClassification.body);
  const issues = check({ filename: "a.pdf", file: "", classes: Array.from({ length: 200_000 }, () => ({})) });
  assert.equal(issues.length, 20);
  assert.deepEqual(issues.slice(0, 2), [
    { path: "/classes", message: "must have at most 200 items" },
    { path: "/classes/0/label", message: "is required" },
  ]);
});

const bodies = Object.values<Endpoint>(endpoints).flatMap(({ body, operationId }) =>
  body === undefined
    ? []
    : [{ operationId, check: compile(body), keys: Object.keys((body as { properties?: object }).properties ?? {}) }],
);

for (const { operationId, check, keys } of bodies)
  test(`validating any JSON for ${operationId} never throws and never echoes it`, () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 5 }), fc.string({ minLength: 500, maxLength: 9_000 }));
    const body = fc.oneof(value, fc.dictionary(fc.constantFrom(...keys, "other"), value));
    fc.assert(
      fc.property(body, (sent) => {
        const issues = check(sent);
        assert.ok(issues.length <= 20);
        for (const { path, message } of issues) assert.ok(path.length + message.length < 300);
      }),
    );
  });
