/** Requests from other sites with a session cookie are refused, including reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { operations, words } from "./helpers/operations.ts";
import { credentialOf, peopleOver } from "./helpers/people.ts";

/** All GET paths that accept the session cookie, with ids that do not exist. */
const reads = operations
  .filter(
    ({ method, path, security }) =>
      method === "GET" && (security.some((way) => way.session) || /^\/v2\/sessions?$/.test(path)),
  )
  .map(({ path }) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => (words.has(name) ? "extraction.completed" : newId())),
  );

describeOverDatabases("cross-site reads", (dialect) => {
  const parts = peopleOver(dialect);

  test("every read with the session cookie is refused if another site sends it", async () => {
    assert.ok(reads.length > 15 && reads.includes("/v2/session") && reads.includes("/v2/sessions"), String(reads));
    const { service, ada } = parts;
    const others = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: service.url.replace("127.0.0.1", "localhost") },
    ];
    for (const path of reads) {
      for (const headers of others) {
        const { status, body } = await ada.send("GET", path, undefined, headers);
        assert.deepEqual([status, body.code], [403, "forbidden"], `${path} ${JSON.stringify(headers)}`);
      }
      for (const headers of [
        { "sec-fetch-site": "same-origin" },
        { "sec-fetch-site": "none" },
        { origin: service.url },
        {},
      ]) {
        const { status } = await ada.send("GET", path, undefined, headers);
        assert.ok(status === 200 || status === 404, `${path} ${JSON.stringify(headers)} ${status}`);
      }
    }
  });

  test("a cross-site request is refused before its cookie is looked up, so the response does not reveal who is signed in", async () => {
    const { service } = parts;
    const headers = { "sec-fetch-site": "cross-site", cookie: "sheaf_session=unknown" };
    for (const path of ["/v2/session", "/v2/agents"])
      assert.equal((await service.client("").send("GET", path, undefined, headers)).status, 403, path);
  });

  test("requests with a token and reads without a cookie are not refused as cross-site", async () => {
    const { service, ada } = parts;
    const { send } = await credentialOf(service, ada);
    const headers = { "sec-fetch-site": "cross-site", origin: "https://app.example" };
    assert.equal((await send("GET", "/v2/agents", undefined, { ...headers, cookie: ada.cookie })).status, 200);
    assert.equal((await service.client("").send("GET", "/v2/openapi.json", undefined, headers)).status, 200);
    assert.equal((await service.client("").send("GET", "/v2/agents", undefined, headers)).status, 401);
  });
});
