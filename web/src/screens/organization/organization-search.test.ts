import assert from "node:assert/strict";
import { test } from "node:test";
import { apiSearch, auditSearch, groupsSearch, membersSearch, webhooksSearch } from "./organization-search.ts";

test("valid parameters of a link are kept", () => {
  assert.deepEqual(membersSearch({ find: "ada", invite: true }), { find: "ada", invite: true });
  assert.deepEqual(groupsSearch({ group: "new" }), { group: "new" });
  assert.deepEqual(apiSearch({ ended: true }), { ended: true });
  assert.deepEqual(auditSearch({ action: "agent.created", since: "2026-11-24", order: "oldest" }), {
    action: "agent.created",
    since: "2026-11-24",
    order: "oldest",
  });
  assert.deepEqual(webhooksSearch({ event: "extraction.completed", status: "failed", delivery: "01JPA" }), {
    event: "extraction.completed",
    status: "failed",
    delivery: "01JPA",
  });
});

test("a search text that looks like a number stays text", () => {
  assert.equal(membersSearch({ find: 2026 }).find, "2026");
});

test("unknown and invalid parameters are dropped", () => {
  assert.deepEqual(membersSearch({ find: { a: 1 }, invite: "yes" }), { find: undefined, invite: undefined });
  for (const since of ["2026-13-01", "yesterday", "2026-11-24T10:00", 20261124])
    assert.equal(auditSearch({ since }).since, undefined, String(since));
  assert.equal(auditSearch({ order: "newest" }).order, undefined);
  assert.deepEqual(webhooksSearch({ event: "other", status: 1, delivery: "" }), {
    event: undefined,
    status: undefined,
    delivery: undefined,
  });
});
