import assert from "node:assert/strict";
import { test } from "node:test";
import { deprecationHeaders } from "./deprecation.ts";
import { endpoints } from "./endpoints.ts";

const { deprecated } = endpoints.askDocumentalist;

test("the deprecated stream has the headers that its decision specifies", () => {
  assert.deepEqual(deprecationHeaders(deprecated, { agentReference: "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77" }), {
    Deprecation: "@1780272000",
    Sunset: "Mon, 30 Nov 2026 23:59:59 GMT",
    Link: '</v2/knowledge/0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77>; rel="successor-version"',
  });
});

test("path parameters that clients choose are encoded in the header", () => {
  for (const agentReference of ['x>; rel="next"', "a\r\nb: c", "\ud800", "é"]) {
    const { Link } = deprecationHeaders(deprecated, { agentReference });
    assert.match(Link, /^<\/v2\/knowledge\/[!-;=?-~]*>; rel="successor-version"$/);
  }
});
