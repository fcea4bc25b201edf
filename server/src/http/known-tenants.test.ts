import assert from "node:assert/strict";
import { test } from "node:test";
import { KnownTenants } from "./known-tenants.ts";

test("credentials map to their tenant, the token before the cookie", () => {
  const known = new KnownTenants();
  known.remember({ "x-api-key": "token" }, "a");
  known.remember({ cookie: "session=1" }, "b");
  known.remember({}, "c");
  assert.equal(known.of({ "x-api-key": "token", cookie: "session=1" }), "a");
  assert.equal(known.of({ cookie: "session=1" }), "b");
  assert.equal(known.of({ "x-api-key": "other" }), undefined);
  assert.equal(known.of({}), undefined);
});

test("the oldest credentials are forgotten", () => {
  const known = new KnownTenants();
  for (let i = 0; i <= 2_000; i++) known.remember({ "x-api-key": `${i}` }, "a");
  assert.equal(known.of({ "x-api-key": "0" }), undefined);
  assert.equal(known.of({ "x-api-key": "1" }), "a");
  assert.equal(known.of({ "x-api-key": "2000" }), "a");
});
