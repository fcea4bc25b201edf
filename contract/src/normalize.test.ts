import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { lowerCaseId, normalize } from "./normalize.ts";
import { compile } from "./validate.ts";

const reference = "0198F3A2-7C41-7D3E-9B52-6F0D1C8E4A77";

test("null for an optional member of any body is valid", () => {
  let members = 0;
  for (const { body, operationId } of Object.values<Endpoint>(endpoints)) {
    const { properties = {}, required = [] } = (body ?? {}) as { properties?: object; required?: string[] };
    for (const member of Object.keys(properties).filter((key) => !required.includes(key))) {
      const value = normalize(body as never, { [member]: null });
      const issues = compile(body as never)(value).filter(({ path }) => path === `/${member}`);
      assert.deepEqual(issues, [], `${operationId} ${member}`);
      members++;
    }
  }
  assert.ok(members > 15, `${members} members`);
});

test("null for a nested optional member is valid, and null with a meaning is kept", () => {
  const { createAgent, updateAgent } = endpoints;
  const configuration = { consignes: null, sourceVisibility: null, engine: null, domains: [null, { a: null }] };
  assert.deepEqual(normalize(createAgent.body, { name: "A", description: null, configuration }), {
    name: "A",
    description: null,
    configuration: { engine: null, domains: [null, { a: null }] },
  });
  assert.deepEqual(normalize(updateAgent.body, { name: null, configuration: null }), {});
  const items = [{ name: "b", format: "text", description: "", items: null }];
  const params = [{ name: "a", format: "list", description: "", items }];
  assert.deepEqual(normalize(endpoints.extract.body, { params }), {
    params: [{ name: "a", format: "list", description: "", items: [{ name: "b", format: "text", description: "" }] }],
  });
  assert.deepEqual(normalize(endpoints.extract.body, { params: null, filename: null }), {
    params: null,
    filename: null,
  });
});

test("ids are converted to lower case, and nothing else is changed", () => {
  const asked = { query: reference, thread_id: reference, historic: null };
  assert.deepEqual(normalize(endpoints.askKnowledge.body, asked), {
    query: reference,
    thread_id: reference.toLowerCase(),
  });
  assert.deepEqual(
    [lowerCaseId(reference), lowerCaseId("A"), lowerCaseId(`${reference}A`)],
    [reference.toLowerCase(), "A", `${reference}A`],
  );
});

test("values of the wrong type are left to the validation", () => {
  for (const value of [null, 1, "a", [], [null]])
    assert.deepEqual(normalize(endpoints.askKnowledge.body, value), value);
});
