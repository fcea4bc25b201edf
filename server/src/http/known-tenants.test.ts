import assert from "node:assert/strict";
import { test } from "node:test";
import { KnownTenants } from "./known-tenants.ts";

test("credentials map to their tenant; a token takes precedence over a cookie", () => {
  const known = new KnownTenants();
  known.remember({ "x-api-key": "token" }, "a");
  known.remember({ cookie: "session=1" }, "b");
  known.remember({}, "c");
  assert.equal(known.of({ "x-api-key": "token", cookie: "session=1" }), "a");
  assert.equal(known.of({ cookie: "session=1" }), "b");
  assert.equal(known.of({ authorization: "Bearer token", cookie: "session=1" }), "a");
  assert.equal(known.of({ authorization: "Basic token", cookie: "session=1" }), "b");
  assert.equal(known.of({ "x-api-key": "other" }), undefined);
  assert.equal(known.of({}), undefined);
});

test("the tenant of credentials is that of the last request", () => {
  const known = new KnownTenants();
  known.remember({ cookie: "session=1" }, "a");
  known.remember({ cookie: "session=1" }, "b");
  assert.equal(known.of({ cookie: "session=1" }), "b");
});

test("very long credentials are not remembered", () => {
  const known = new KnownTenants();
  const cookie = `session=1; other=${"x".repeat(5_000)}`;
  known.remember({ cookie }, "a");
  assert.equal(known.of({ cookie }), undefined);
});

test("credentials in use are kept; the least recently used are forgotten", () => {
  const known = new KnownTenants();
  known.remember({ "x-api-key": "in use" }, "a");
  for (let i = 0; i < 2_000; i++) {
    known.remember({ "x-api-key": `${i}` }, "a");
    if (i % 100 === 0) known.remember({ "x-api-key": "in use" }, "a");
  }
  assert.equal(known.of({ "x-api-key": "in use" }), "a");
  assert.equal(known.of({ "x-api-key": "0" }), undefined);
  assert.equal(known.of({ "x-api-key": "1" }), "a");
  assert.equal(known.of({ "x-api-key": "1999" }), "a");
});
